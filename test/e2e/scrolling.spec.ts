import type { Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { openPage } from './support/app.ts';
import { articles, scrollToPost, seenPosts, layoutIsStable } from './support/feed.ts';
import { anna, annasPosts, ordinaryPosts, ordinaryText, texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

const nextPage = '**/api/v1/posts?*cursor=*';

test('a thousand posts on one page stay light, ordered, without gaps or duplicates', async ({ page }) => {
  await openPage(page, '/');
  await scrollToPost(page, 1_000);
  expect(await page.locator('*').count()).toBeLessThan(1_500);

  const seen = await seenPosts(page);
  expect(seen.map(([place]) => place)).toEqual(seen.map((_, index) => index + 1));
  const ordinary = seen.slice(Object.keys(texts).length);
  expect(ordinary.map(([, text]) => text)).toEqual(ordinary.map((_, index) => ordinaryText(index + 1)));
});

test('the list loads to its end and then offers nothing more', async ({ page }) => {
  await openPage(page, `/users/${anna}`);
  await scrollToPost(page, annasPosts);
  await expect(articles(page).last()).toContainText(`Запись ${ordinaryPosts}`);
  await expect(page.getByRole('button', { name: 'Показать ещё' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Повторить' })).toHaveCount(0);
});

test('posts published during scrolling cause neither gaps nor duplicates', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  const post = (text: string) => ({ by, text });
  await ownWall.seed.posts(Array.from({ length: 60 }, (_, index) => post(`Запись ${60 - index}`)));
  await openPage(page, ownWall.url);
  for (const place of [20, 40, 60]) {
    await ownWall.seed.posts(Array.from({ length: 7 }, (_, index) => post(`Новая ${index} до места ${place}`)));
    await scrollToPost(page, place);
  }
  expect(await seenPosts(page)).toEqual(Array.from({ length: 60 }, (_, index) => [index + 1, `Запись ${index + 1}`]));
});

test('the next page is requested a moment after the end comes within 40 % of a window', async ({ page }) => {
  await page.setViewportSize({ width: 600, height: 500 });
  await openPage(page, '/');
  const resting = await height(page);
  const threshold = await distanceToEnd(page, 1 + limits.scrollLoadMargin);

  await page.evaluate((top) => scrollTo(0, top - 8), threshold);
  await page.waitForTimeout(4 * limits.scrollLoadMs);
  expect(await askedAt(page)).toEqual([]);

  const crossedAt = await page.evaluate((top) => {
    scrollTo(0, top + 8);
    return performance.now();
  }, threshold);
  await expect.poll(() => askedAt(page)).toHaveLength(1);
  const [time] = await askedAt(page);
  expect(time! - crossedAt).toBeGreaterThanOrEqual(limits.scrollLoadMs);
  await expect.poll(() => height(page)).toBeGreaterThan(resting);
});

test('skeletons stand in for loading posts', async ({ page }) => {
  const release = Promise.withResolvers<void>();
  await page.route(nextPage, async (route) => {
    await release.promise;
    await route.continue();
  });
  await openPage(page, '/');
  const feed = page.getByRole('feed');
  const resting = await height(page);
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await expect(feed).toHaveAttribute('aria-busy', 'true');
  await expect.poll(() => height(page)).toBeGreaterThan(resting + 200);
  release.resolve();
  await expect(feed).toHaveAttribute('aria-busy', 'false');
  await expect(articles(page).nth(limits.pageSize)).toBeVisible();
});

test('where scrolling does not load, «Показать ещё» does and focuses the first new post', async ({ page }) => {
  await page.addInitScript(() => {
    window.IntersectionObserver.prototype.observe = () => {};
  });
  await openPage(page, '/');
  await page.getByRole('button', { name: 'Показать ещё' }).focus();
  await page.keyboard.press('Enter');
  const eleventh = page.locator(`article[aria-posinset="${limits.pageSize + 1}"]`);
  await expect(eleventh).toBeFocused();
  await expect(eleventh).toBeInViewport();
});

test('a click right after scrolling opens its target', async ({ page }) => {
  await openPage(page, '/');
  await scrollToPost(page, 30);
  for (const pauseMs of [0, 50, 100, 150]) {
    await layoutIsStable(page);
    // Runs in the page: messages from the test would arrive after the scrolling has ended.
    const clicked = await page.evaluate(async (pauseMs) => {
      scrollBy(0, -150);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      await new Promise((done) => setTimeout(done, pauseMs));
      return document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('article') !== null;
    }, pauseMs);
    expect(clicked, `after ${pauseMs} ms`).toBe(true);
  }
});

function height(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight);
}

/** When the page requested more posts, by its own clock. */
function askedAt(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('cursor='))
      .map(({ startTime }) => startTime),
  );
}

/** The scroll position at which the end of the list is the given number of windows below the top. */
function distanceToEnd(page: Page, windows: number): Promise<number> {
  return page.evaluate((windows) => {
    const end = document.querySelector('[role=feed]')!.getBoundingClientRect().bottom;
    return scrollY + end - windows * innerHeight;
  }, windows);
}
