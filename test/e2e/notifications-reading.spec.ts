import type { Page } from '@playwright/test';
import {
  bell,
  signInWithPost,
  expectUnread,
  marked,
  openNotifications,
  readNotifications,
} from './support/notifications.ts';
import { articles } from './support/feed.ts';
import { expect, test } from './support/test.ts';

const path = '**/api/v1/users/current/notifications/read';

test('a notification visible for less than a second, or in a hidden tab, stays unread', async ({ page, ownWall }) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply('Я иду!');
  await expectUnread(page, 1);
  const reads = readsOf(page);
  await bell(page).click();
  await expect(marked(page)).toHaveCount(1);
  await page.goBack();
  await hide(page, true);
  await bell(page).click();
  await expect(marked(page)).toHaveCount(1);
  await page.waitForTimeout(1_500);
  expect(reads).toEqual([]);
  await expectUnread(page, 1);
  await hide(page, false);
  await expectUnread(page, 0);
  expect(reads).toHaveLength(1);
});

test('a notification less than half visible stays unread', async ({ page, ownWall }) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply(...Array.from({ length: 9 }, () => 'Прежний'));
  await readNotifications(page, ownWall);
  await page.getByRole('button', { name: 'Назад' }).click();
  await reply('Я иду!');
  await expectUnread(page, 1);
  const reads = readsOf(page);
  await hide(page, true);
  await bell(page).click();
  const { y: top, height } = (await marked(page).boundingBox())!;
  const header = await page.getByRole('banner').evaluate((element) => element.getBoundingClientRect().bottom);
  await page.evaluate((y) => scrollTo(0, y), top - header + height * 0.55);
  await hide(page, false);
  await page.waitForTimeout(1_500);
  expect(reads).toEqual([]);
  await page.evaluate((y) => scrollTo(0, y), top - header + height * 0.45);
  await expectUnread(page, 0);
});

test('a notification taller than the window is read when it fills half of the window', async ({ page, ownWall }) => {
  const { reply } = await signInWithPost(page, ownWall);
  await reply('Длинный ответ о том, как мы катались. '.repeat(13));
  await page.setViewportSize({ width: 300, height: 240 });
  await openNotifications(page, ownWall);
  const { height } = (await marked(page).boundingBox())!;
  expect(height).toBeGreaterThan(2 * 240);
  await marked(page).evaluate((card) => scrollBy(0, card.getBoundingClientRect().top));
  await expectUnread(page, 0);
});

test('everything below the newest visible notification is read with it in one request', async ({
  page,
  ownWall,
  pageErrors,
}) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  const { reply } = await signInWithPost(page, ownWall);
  const ids = await reply('Раз', 'Два', 'Три', 'Четыре');
  const reads = readsOf(page);
  const known = page.waitForResponse(path);
  await page.route(path, (route) => route.abort('connectionreset'), { times: 1 });
  await openNotifications(page, ownWall);
  await expect(articles(page)).toHaveCount(4);
  await expectUnread(page, 0);
  const [newest] = ids.slice(-1).map(String);
  await expect.poll(() => reads, { timeout: 10_000 }).toEqual([newest, newest]);
  await known;
  await expect(marked(page)).toHaveCount(4);
  await page.reload();
  await expect(articles(page)).toHaveCount(4);
  await expectUnread(page, 0);
  await expect(marked(page)).toHaveCount(0);
});

/** The positions that the page reports as read from now on. */
function readsOf(page: Page): string[] {
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/notifications/read'))
      reads.push(request.postDataJSON().up_to);
  });
  return reads;
}

/** Simulates that another tab covers this one. */
async function hide(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
}
