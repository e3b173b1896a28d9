import type { Page } from '@playwright/test';
import { bell, enterWithPost, expectUnread, marked, openAnswers, readAnswers } from './support/answers.ts';
import { articles } from './support/feed.ts';
import { phone } from './support/screens.ts';
import { expect, test } from './support/test.ts';

const path = '**/api/v1/users/current/answers/read';

test('an answer looked at for less than a second, or behind another tab, stays unread', async ({ page, ownWall }) => {
  const { answer } = await enterWithPost(page, ownWall);
  await answer('Я иду!');
  await expectUnread(page, 1);
  const told = readsOf(page);
  await bell(page).click();
  await expect(marked(page)).toHaveCount(1);
  await page.goBack();
  await hide(page, true);
  await bell(page).click();
  await expect(marked(page)).toHaveCount(1);
  await page.waitForTimeout(1_500);
  expect(told).toEqual([]);
  await expectUnread(page, 1);
  await hide(page, false);
  await expectUnread(page, 0);
  expect(told).toHaveLength(1);
});

test('an answer less than half on screen stays unread', async ({ page, ownWall }) => {
  const { answer } = await enterWithPost(page, ownWall);
  await answer(...Array.from({ length: 9 }, () => 'Прежний'));
  await readAnswers(page, ownWall);
  await page.getByRole('button', { name: 'Назад' }).click();
  await answer('Я иду!');
  await expectUnread(page, 1);
  const told = readsOf(page);
  await hide(page, true);
  await bell(page).click();
  const { height } = (await marked(page).boundingBox())!;
  await page.evaluate((y) => scrollTo(0, y), height * 0.55);
  await hide(page, false);
  await page.waitForTimeout(1_500);
  expect(told).toEqual([]);
  await page.evaluate((y) => scrollTo(0, y), height * 0.45);
  await expectUnread(page, 0);
});

test('one taller than the window is read when half of that is full of it', async ({ page, ownWall }) => {
  const { answer } = await enterWithPost(page, ownWall);
  await answer('Длинный ответ о том, как мы катались. '.repeat(13));
  await page.setViewportSize({ ...phone, height: 200 });
  await openAnswers(page, ownWall);
  const { height } = (await marked(page).boundingBox())!;
  expect(height).toBeGreaterThan(2 * 200);
  await expectUnread(page, 0);
});

test('all that stands below the newest seen is read with it, told once, also after a failure', async ({
  page,
  ownWall,
  mishaps,
}) => {
  mishaps.expect(/ERR_CONNECTION_RESET/);
  const { answer } = await enterWithPost(page, ownWall);
  const ids = await answer('Раз', 'Два', 'Три', 'Четыре');
  const told = readsOf(page);
  const known = page.waitForResponse(path);
  await page.route(path, (route) => route.abort('connectionreset'), { times: 1 });
  await openAnswers(page, ownWall);
  await expect(articles(page)).toHaveCount(4);
  await expectUnread(page, 0);
  const [newest] = ids.slice(-1).map(String);
  await expect.poll(() => told, { timeout: 10_000 }).toEqual([newest, newest]);
  await known;
  await expect(marked(page)).toHaveCount(4);
  await page.reload();
  await expect(articles(page)).toHaveCount(4);
  await expectUnread(page, 0);
  await expect(marked(page)).toHaveCount(0);
});

/** Up to where the page says it was read, from now on. */
function readsOf(page: Page): string[] {
  const told: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/answers/read')) told.push(request.postDataJSON().up_to);
  });
  return told;
}

/** As a browser does when another tab comes before this one. */
async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}
