import type { Page } from '@playwright/test';
import { openPage } from './support/app.ts';
import { scrollPosition, settled } from './support/feed.ts';
import { addPosts, expectStored, line, passHour, postBelowLine, toLine } from './support/reading.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';

test('after a break the line marks where a visitor stopped', async ({ page, ownWall }) => {
  await watchShift(page);
  const by = await ownWall.seed.person('galina_m');
  const ids = await addPosts(ownWall, by, 1, 30);
  await openPage(page, ownWall.url);
  await expectStored(page, 'feed', ids.get(30));
  await expect(line(page)).toHaveCount(0);
  await addPosts(ownWall, by, 31, 36);
  await passHour(page);
  await openPage(page, ownWall.url);
  await expect(line(page)).toHaveCount(1);
  expect(await postBelowLine(page)).toBe('Запись 30');
  await expect(toLine(page)).toHaveText('К месту, где остановились: 6');
  await page.screenshot({ path: 'test-results/line.png' });
  await toLine(page).click();
  await expect(page.locator('article:focus')).toContainText('Запись 30');
  await expect(toLine(page)).toHaveCount(0);
  await expect(line(page)).toBeInViewport();
  await page.screenshot({ path: 'test-results/line2.png' });
  await expectNoShift(page);
});

test('the button goes far down, and reading upward leads to the newest post', async ({ page, ownWall }) => {
  test.setTimeout(60_000);
  await watchShift(page);
  const by = await ownWall.seed.person('galina_m');
  const ids = await addPosts(ownWall, by, 1, 60);
  await openPage(page, ownWall.url);
  await expectStored(page, 'feed', ids.get(60));
  const news = await addPosts(ownWall, by, 61, 130);
  await passHour(page);
  await openPage(page, ownWall.url);
  await expect(toLine(page)).toHaveText('К месту, где остановились: 70');
  await expect(line(page)).toHaveCount(0);
  await ownWall.seed.remove(ids.get(60)!);
  await toLine(page).press('Enter');
  const place = page.locator('article[aria-posinset="71"]');
  await expect(place).toBeFocused();
  await expect(place).toContainText('Запись 59');
  expect(await postBelowLine(page)).toBe('Запись 59');
  await settled(page);
  // The newer posts have been added above.
  await expect(page.locator('article[aria-posinset="70"]')).toContainText('Запись 61');
  const seen = await readUpward(page);
  expect(seen).toEqual(Array.from({ length: 71 }, (_, index) => `Запись ${index < 70 ? 130 - index : 59}`));
  expect(news.size).toBe(70);
  await expectNoShift(page);
});

/** Scrolls up to the first post, a part of a window at a time; returns the posts down to the line, from the newest. */
async function readUpward(page: Page): Promise<string[]> {
  const seen = new Map<number, string>();
  for (;;) {
    // Meanwhile newer posts may come.
    await page.waitForTimeout(200);
    await settled(page);
    for (const [position, text] of await cardsOn(page)) seen.set(position, text);
    if (seen.has(1) && (await scrollPosition(page)) === 0) break;
    await page.evaluate(() => scrollBy(0, -innerHeight * 0.7));
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
