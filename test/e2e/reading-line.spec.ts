import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { openPage, quiet } from './support/app.ts';
import { articles, scrollPosition, scrollToPost, layoutIsStable } from './support/feed.ts';
import { addPosts, comeBack, expectStored, line, passHour, postBelowLine, toLine } from './support/reading.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';

test('after a break the line marks where a visitor stopped', async ({ page, ownWall }) => {
  await watchShift(page);
  await comeBack(page, ownWall, 30, 36);
  await expect(line(page)).toHaveCount(1);
  expect(await postBelowLine(page)).toBe('Запись 30');
  await expect(toLine(page)).toHaveText('К месту, где остановились: 6');
  await toLine(page).click();
  await expect(page.locator('article:focus')).toContainText('Запись 30');
  await expect(toLine(page)).toHaveCount(0);
  await expectBelowHeader(page);
  await expectNoShift(page);
});

// The line is at the end of the first page, or shortly below it.
for (const newer of [9, 11]) {
  test(`the button puts the line below ${newer} posts under the header`, async ({ page, ownWall }) => {
    await comeBack(page, ownWall, 60, 60 + newer);
    await toLine(page).click();
    await expect(page.locator('article:focus')).toContainText('Запись 60');
    await expect(page.locator('article:focus')).toHaveAttribute('aria-posinset', `${newer + 1}`);
    // All newer posts are added above.
    await quiet(page);
    await layoutIsStable(page);
    await expectBelowHeader(page);
  });
}

test('the button goes far down, and reading upward leads to the newest post', async ({ page, ownWall }) => {
  await watchShift(page);
  const { by, ids } = await comeBack(page, ownWall, 60, 130);
  await expect(toLine(page)).toHaveText('К месту, где остановились: 70');
  await expect(line(page)).toHaveCount(0);
  await ownWall.seed.remove(ids.get(60)!);
  // Shows that the page knows of the deletion. A post that disappears from the screen later moves what is below it.
  await ownWall.seed.like(ids.get(130)!, by);
  await expect(articles(page).first().getByRole('button', { name: 'Нравится' })).toContainText('1');
  await toLine(page).press('Enter');
  const place = page.locator('article[aria-posinset="71"]');
  await expect(place).toBeFocused();
  await expect(place).toContainText('Запись 59');
  expect(await postBelowLine(page)).toBe('Запись 59');
  await expectBelowHeader(page);
  await layoutIsStable(page);
  await expectBelowHeader(page);
  // The newer posts have been added above.
  await expect(page.locator('article[aria-posinset="70"]')).toContainText('Запись 61');
  const seen = await readUpward(page);
  expect(seen).toEqual(Array.from({ length: 71 }, (_, index) => `Запись ${index < 70 ? 130 - index : 59}`));
  await expectNoShift(page);
});

test('a next page that was requested before the button was pressed is left out', async ({ page, ownWall }) => {
  await comeBack(page, ownWall, 60, 130);
  await expect(toLine(page)).toHaveText('К месту, где остановились: 70');
  const release = Promise.withResolvers<void>();
  const nextPage = '**/api/v1/posts?*cursor=*';
  const asked = page.waitForRequest(nextPage);
  await page.route(nextPage, (route) => release.promise.then(() => route.continue()), { times: 1 });
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const late = await asked;
  await toLine(page).click();
  await expect(page.locator('article:focus')).toContainText('Запись 60');
  release.resolve();
  await (await late.response())!.finished();
  await scrollToPost(page, 100);
  await expect(page.locator('article[aria-posinset="100"]')).toContainText('Запись 31');
});

test('the button shows the posts as they are when it is pressed', async ({ page, ownWall }) => {
  const { ids } = await comeBack(page, ownWall, 60, 130);
  await expect(toLine(page)).toHaveText('К месту, где остановились: 70');
  await ownWall.seed.edit(ids.get(60)!, 'Исправлено');
  const edited = `${ownWall.url}/api/v1/posts/${ids.get(60)}`;
  await expect.poll(async () => (await page.request.get(edited)).text()).toContain('Исправлено');
  await passRequestTimeout(page);
  await toLine(page).click();
  await expect(page.locator('article:focus')).toContainText('Исправлено');
});

test('a reader who leaves after pressing the button finds the feed as it was', async ({ page, ownWall }) => {
  await comeBack(page, ownWall, 60, 130);
  await expect(toLine(page)).toHaveText('К месту, где остановились: 70');
  await passRequestTimeout(page);
  const release = Promise.withResolvers<void>();
  await page.route('**/api/v1/posts?*at=*', (route) => release.promise.then(() => route.continue()));
  await toLine(page).click();
  await articles(page).first().locator('time[title]').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  release.resolve();
  await quiet(page);
  await page.goBack();
  await expect(page.locator('article[aria-posinset="1"]')).toContainText('Запись 130');
});

test('the place stays where it is when scroll events come late', async ({ page, ownWall }) => {
  // As in Firefox, which may measure twice before it sends one.
  await page.addInitScript(() => {
    const later = (event: Event) => {
      if (!event.isTrusted) return;
      event.stopImmediatePropagation();
      setTimeout(() => dispatchEvent(new Event('scroll')), 100);
    };
    addEventListener('scroll', later, { capture: true });
  });
  // The end of the list is near.
  await comeBack(page, ownWall, 5, 60);
  await toLine(page).click();
  await expect(page.locator('article:focus')).toContainText('Запись 5');
  await expect(page.locator('article[aria-posinset="55"]')).toContainText('Запись 6');
  await layoutIsStable(page);
  await expectBelowHeader(page);
});

test('far below the line Back and a reload restore the same post at the same height', async ({ page, ownWall }) => {
  await comeBack(page, ownWall, 100, 1_150);
  await expect(toLine(page)).toHaveText(/^К\sместу, где\sостановились: 1\sтыс\.$/);
  await toLine(page).click();
  await expect(page.locator('article:focus')).toContainText('Запись 100');
  await expect(page.locator('article[aria-posinset="1050"]')).toHaveCount(1);
  await scrollToPost(page, 1_075);
  await layoutIsStable(page);
  const card = page.locator('article[aria-posinset="1075"]');
  await expect(card).toContainText('Запись 76');
  await card.evaluate((it) => scrollBy(0, it.getBoundingClientRect().top - 111));
  await layoutIsStable(page);
  const before = await card.boundingBox();
  await card.locator('time[title]').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await page.goBack();
  await expect.poll(async () => Math.round((await card.boundingBox())?.y ?? 0)).toBe(Math.round(before!.y));
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/posts?')) asked.push(request.url());
  });
  await page.reload();
  await expect(card).toContainText('Запись 76');
  await layoutIsStable(page);
  expect(Math.round((await card.boundingBox())!.y)).toBe(Math.round(before!.y));
  expect(asked.length).toBeLessThanOrEqual(8);
});

test('tabs of a visitor share the place', async ({ page, context, ownWall }) => {
  await context.clock.install();
  const by = await ownWall.seed.person('galina_m');
  await addPosts(ownWall, by, 1, 12);
  await openPage(page, ownWall.url);
  await expectStored(page, 'feed', 12);
  const ids = await addPosts(ownWall, by, 13, 16);
  const second = await context.newPage();
  await openPage(second, ownWall.url);
  await expectStored(second, 'feed', ids.get(16));
  await second.close();
  // The first tab has not shown these posts and must not move the place back.
  await page.mouse.wheel(0, 300);
  await layoutIsStable(page);
  await page.clock.runFor(1_500);
  await expectStored(page, 'feed', ids.get(16));
  await addPosts(ownWall, by, 17, 18);
  await passHour(page);
  await page.getByRole('link', { name: 'Лента' }).click();
  await expect(line(page)).toHaveCount(1);
  expect(await postBelowLine(page)).toBe('Запись 16');
});

test('a reload within the visit keeps the line, and there is none when nothing is new', async ({ page, ownWall }) => {
  const { ids } = await comeBack(page, ownWall, 12, 14);
  await expect(line(page)).toHaveCount(1);
  await expectStored(page, 'feed', ids.get(14));
  await page.reload();
  await expect(line(page)).toHaveCount(1);
  expect(await postBelowLine(page)).toBe('Запись 12');
  // Nothing is new.
  await passHour(page);
  await page.reload();
  await quiet(page);
  await expect(line(page)).toHaveCount(0);
  await expect(toLine(page)).toHaveCount(0);
});

/** Nothing covers the line, and the post below it begins 16 px below the header. */
async function expectBelowHeader(page: Page): Promise<void> {
  const { height } = (await page.getByRole('banner').boundingBox())!;
  const { y, height: thickness } = (await line(page).boundingBox())!;
  expect(y).toBeGreaterThanOrEqual(height);
  expect(Math.abs(y + thickness / 2 - height - 16)).toBeLessThanOrEqual(2);
}

/** As if a request that has ended now had ended long ago. */
async function passRequestTimeout(page: Page): Promise<void> {
  await page.evaluate((passed) => {
    const now = Date.now;
    Date.now = () => now() + passed;
  }, limits.requestTimeoutMs + 1_000);
}

/** Scrolls up to the first post, a part of a window at a time; returns the posts down to the line, from the newest. */
async function readUpward(page: Page): Promise<string[]> {
  const seen = new Map<number, string>();
  for (;;) {
    await layoutIsStable(page);
    for (const [position, text] of await cardsOn(page)) seen.set(position, text);
    if (seen.has(1) && (await scrollPosition(page)) === 0) break;
    await page.evaluate(() => scrollBy(0, -innerHeight * 0.5));
  }
  const positions = [...seen.keys()].toSorted((a, b) => a - b);
  return positions.filter((position) => position <= 71).map((position) => seen.get(position)!);
}

/** The positions and first lines of the posts in the document. */
function cardsOn(page: Page): Promise<Array<[position: number, text: string]>> {
  return page.locator('[role=feed] article').evaluateAll((cards) =>
    cards.map((card) => {
      const text = card.querySelector(':scope > [dir=auto]')!.textContent.replaceAll('\u00a0', ' ');
      return [Number(card.getAttribute('aria-posinset')), text.split('\n')[0]!];
    }),
  );
}
