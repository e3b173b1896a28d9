import type { Locator, Page } from '@playwright/test';
import { expectSameDocument, markDocument, openPage, reloadPage } from './support/app.ts';
import {
  articles,
  cardOf,
  expectScrollPosition,
  scrollPosition,
  scrollToPost,
  layoutIsStable,
} from './support/feed.ts';
import { ordinaryText, texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test('Back restores the exact position fifty pages down, from a post and through two pages', async ({ page }) => {
  await openPage(page, '/');
  await markDocument(page);
  await scrollToPost(page, 500);
  await page.evaluate(() => scrollBy(0, -1_777));
  await layoutIsStable(page);
  const post = page.locator(`article[aria-posinset="${await placeInView(page)}"] time`);

  const first = await leaveBy(page, post);
  expect(first.scrollY).toBeGreaterThan(50_000);
  await page.goBack();
  await expectReturnTo(page, first);

  const second = await leaveBy(page, post);
  await page.getByRole('article').locator('bdi a').click();
  await expect(page.getByText('на стене с')).toBeVisible();
  await scrollToPost(page, 20);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await page.getByRole('button', { name: 'Назад' }).click();
  await expectReturnTo(page, second);
  await expectSameDocument(page);

  // The list can still load its next page.
  await scrollToPost(page, 520);
});

test('Forward restores the position as well, and so does Back after a full page load', async ({ page }) => {
  await openPage(page, '/');
  await page.getByRole('link', { name: 'boris_petrov' }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('boris_petrov');
  await scrollToPost(page, 40);
  await layoutIsStable(page);
  const before = await scrollPosition(page);
  await page.goBack();
  await expect(cardOf(page, texts.discussed)).toBeVisible();
  await page.goForward();
  await expectScrollPosition(page, before);

  await page.goBack();
  const link = cardOf(page, texts.popular).locator('time[title]');
  await page.evaluate(() => scrollTo(0, 400));
  await link.scrollIntoViewIfNeeded();
  const atFeed = await scrollPosition(page);
  await link.click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await reloadPage(page);
  await page.goBack();
  await expect(link).toBeVisible();
  await expectScrollPosition(page, atFeed);
});

test('selecting the feed reloads it and scrolls to its top', async ({ page, ownWall }) => {
  const by = await ownWall.seed.person('galina_m');
  const numbers = Array.from({ length: 40 }, (_, index) => 40 - index);
  await ownWall.seed.posts(numbers.map((number) => ({ by, text: ordinaryText(number) })));
  await openPage(page, ownWall.url);
  await markDocument(page);
  for (const way of ['Лента', 'Стена']) {
    await test.step(way, async () => {
      await scrollToPost(page, 40);
      const fresh = `Свежая запись ${way}`;
      await ownWall.seed.posts([{ by, text: fresh }]);
      await expect.poll(async () => (await page.request.get(`${ownWall.url}/api/v1/posts`)).text()).toContain(fresh);

      await page.getByRole('link', { name: way, exact: true }).click();
      await expect(articles(page).first()).toContainText(fresh);
      await expect(articles(page)).toHaveCount(10);
      await expect.poll(() => scrollPosition(page)).toBe(0);
      await expectSameDocument(page);
    });
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
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  const left = await page.evaluate(() => (window as typeof window & { left: Sight }).left);
  return { ...left, link };
}

async function expectReturnTo(page: Page, { scrollY, top, link }: Sight & { link: Locator }): Promise<void> {
  await expectScrollPosition(page, scrollY);
  const now = () => link.evaluate((element) => element.getBoundingClientRect().top);
  await expect.poll(async () => Math.abs((await now()) - top)).toBeLessThanOrEqual(1);
}
