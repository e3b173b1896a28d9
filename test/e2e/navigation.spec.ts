import type { Locator, Page } from '@playwright/test';
import { limits } from '#contract/limits.ts';
import { expectSameDocument, markDocument, openPage } from './support/app.ts';
import {
  articles,
  expectScrollPosition,
  layoutIsStable,
  scrollPosition,
  scrollToPost,
  seenPosts,
} from './support/feed.ts';
import { anna, annasPosts, boris, ordinaryPosts, ordinaryText, texts } from './support/populated-wall.ts';
import { holdBack } from './support/code-files.ts';
import { expect, test } from './support/test.ts';
import { callsOf } from './support/writing.ts';

const opened = (page: Page) => expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();

test('a slow page has skeletons, one that fails can be retried', async ({ page, pageErrors }) => {
  pageErrors.expect(/503/);
  await openPage(page, '/');
  const asked = callsOf(page, 'GET', RegExp(`/users/${boris}$`));
  const held = await holdBack(page, `**/api/v1/users/${boris}`);
  await page.getByRole('main').getByRole('link', { name: boris }).first().dblclick();
  const skeletons = page.getByRole('main').locator('[aria-busy=true]');
  await expect(skeletons).toHaveCount(1);
  held.resolve();
  await expect(page.getByRole('main')).toContainText('на стене с');
  await expect(skeletons).toHaveCount(0);
  expect(asked).toHaveLength(1);

  await page.route('**/api/v1/documents/rules', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await page.getByRole('navigation').getByRole('link', { name: 'Правила' }).click();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page).toHaveTitle('Правила - Стена');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Правила');
});

test('fifty pages down the list is light and without gaps, and Back restores the exact position', async ({ page }) => {
  await openPage(page, '/');
  await markDocument(page);
  await scrollToPost(page, 500);
  expect(await page.locator('*').count()).toBeLessThan(1_500);
  const seen = await seenPosts(page);
  expect(seen.map(([place]) => place)).toEqual(seen.map((_, index) => index + 1));
  const ordinary = seen.slice(Object.keys(texts).length);
  expect(ordinary.map(([, text]) => text)).toEqual(ordinary.map((_, index) => ordinaryText(index + 1)));
  await page.evaluate(() => scrollBy(0, -1_777));
  await layoutIsStable(page);
  const post = page.locator(`article[aria-posinset="${await placeInView(page)}"] time`);

  const first = await leaveBy(page, post);
  expect(first.scrollY).toBeGreaterThan(50_000);
  // A new page starts at its top.
  await expect.poll(() => scrollPosition(page)).toBe(0);
  await page.goBack();
  await expectReturnTo(page, first);

  const second = await leaveBy(page, post);
  await page.getByRole('article').locator('bdi a').click();
  await expect(page.getByText('на стене с')).toBeVisible();
  await scrollToPost(page, 20);
  await page.getByRole('button', { name: 'Назад' }).click();
  await opened(page);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expectReturnTo(page, second);
  // The list can still load its next page.
  await scrollToPost(page, 520);
  await expectSameDocument(page);
});

test('Forward restores the position as well', async ({ page }) => {
  await openPage(page, '/');
  await page.getByRole('link', { name: boris }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(boris);
  await scrollToPost(page, 40);
  await layoutIsStable(page);
  const before = await scrollPosition(page);
  await page.goBack();
  await expect(page).toHaveTitle('Стена');
  await page.goForward();
  await expectScrollPosition(page, before);
});

test('the list loads to its end and then offers nothing more', async ({ page }) => {
  await openPage(page, `/users/${anna}`);
  await scrollToPost(page, annasPosts);
  await expect(articles(page).last()).toContainText(`Запись ${ordinaryPosts}`);
  await expect(page.getByRole('button', { name: /Показать ещё|Повторить/ })).toHaveCount(0);
});

test('where scrolling does not load, «Показать ещё» does and focuses the first new post', async ({ page }) => {
  await page.addInitScript(() => {
    window.IntersectionObserver.prototype.observe = () => {};
  });
  await openPage(page, '/');
  await page.getByRole('button', { name: 'Показать ещё' }).press('Enter');
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

function placeInView(page: Page): Promise<string | null> {
  return articles(page).evaluateAll((all) => {
    const middle = all.find((article) => article.getBoundingClientRect().y > innerHeight / 4);
    return middle!.getAttribute('aria-posinset');
  });
}

interface Sight {
  scrollY: number;
  /** Distance in pixels from the top of the window to the clicked post. */
  top: number;
}

/** Opens a post and returns what was visible at the click: the click itself may scroll a little. */
async function leaveBy(page: Page, link: Locator): Promise<Sight & { link: Locator }> {
  await link.evaluate((element) => {
    const leave = () => Object.assign(window, { left: { scrollY, top: element.getBoundingClientRect().top } });
    navigation.addEventListener('navigate', leave, { once: true });
  });
  await link.click();
  await opened(page);
  const left = await page.evaluate(() => (window as typeof window & { left: Sight }).left);
  return { ...left, link };
}

async function expectReturnTo(page: Page, { scrollY, top, link }: Sight & { link: Locator }): Promise<void> {
  await expectScrollPosition(page, scrollY);
  const now = () => link.evaluate((element) => element.getBoundingClientRect().top);
  await expect.poll(async () => Math.abs((await now()) - top)).toBeLessThanOrEqual(1);
}
