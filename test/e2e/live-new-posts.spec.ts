import { articles, cardOf, scrollPosition, scrollToPost, layoutIsStable } from './support/feed.ts';
import { filledWall, open, pill } from './support/live.ts';
import { desk, phone } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';

test('new posts wait behind a pill without a layout shift and appear on a click', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 15);
  await watchShift(page);
  await open(page, ownWall.url);
  const top = page.locator('article[aria-posinset="1"]');
  await expect(top).toContainText('Запись 1');
  const before = await top.boundingBox();

  await ownWall.seed.posts([{ by, text: 'Новая первая' }]);
  await expect(pill(page)).toHaveText('Показать новые: 1');
  await ownWall.seed.posts([
    { by, text: 'Новая вторая' },
    { by, text: 'Новая третья' },
  ]);
  await expect(pill(page)).toHaveText('Показать новые: 3');
  await expect(pill(page)).toBeInViewport({ ratio: 1 });
  await expect(top).toContainText('Запись 1');
  await expect.poll(() => top.boundingBox()).toEqual(before);
  await expectNoShift(page);
  for (const viewport of [phone, desk]) {
    await page.setViewportSize(viewport);
    const [button, byline] = [(await pill(page).boundingBox())!, (await top.locator('bdi').first().boundingBox())!];
    expect(button.y).toBeGreaterThan(byline.y + byline.height);
  }
  await expect(cardOf(page, 'Новая')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: /Показать новые: \d/ })).toHaveCount(1);

  await pill(page).click();
  await expect(articles(page).first()).toBeFocused();
  await expect(pill(page)).toHaveCount(0);
  for (const [index, text] of ['Новая третья', 'Новая вторая', 'Новая первая', 'Запись 1'].entries()) {
    await expect(articles(page).nth(index)).toContainText(text);
  }
});

test('far down the page the pill scrolls to the top', async ({ page, ownWall }) => {
  const by = await filledWall(ownWall, 60);
  await open(page, ownWall.url);
  await scrollToPost(page, 45);
  await layoutIsStable(page);
  const middle = cardOf(page, 'Запись 42');
  const before = await middle.boundingBox();

  await ownWall.seed.posts(Array.from({ length: 23 }, (_, index) => ({ by, text: `Новая ${23 - index}` })));
  await expect(pill(page)).toHaveText('Показать новые: 23');
  await expect(pill(page)).toBeInViewport({ ratio: 1 });
  await expect.poll(() => middle.boundingBox()).toEqual(before);

  await pill(page).focus();
  await page.keyboard.press('Enter');
  await expect(articles(page).first()).toBeFocused();
  await expect.poll(() => scrollPosition(page)).toBe(0);
  await expect(articles(page).first()).toContainText('Новая 1');
  await scrollToPost(page, 26);
  await expect(page.locator('article[aria-posinset="24"]')).toContainText('Запись 1');
});

test('an author’s page counts the own posts; a failure is reported', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_FAILED/);
  const { seed } = ownWall;
  const [by, other] = [await filledWall(ownWall, 15), await seed.person('boris_petrov')];
  await open(page, `${ownWall.url}/users/galina_m`);
  await seed.posts([{ by: other, text: 'Чужая' }]);
  await seed.posts([{ by, text: 'Самая новая' }]);
  await expect(pill(page)).toHaveText('Показать новые: 1');
  await page.route('**/api/v1/posts?*', (route) => route.abort(), { times: 1 });
  await pill(page).click();
  const again = page.getByRole('button', { name: 'Не удалось. Повторить' });
  await expect(again).toBeFocused();
  await again.click();
  await expect(articles(page).first()).toContainText('Самая новая');
  await expect(articles(page).first()).toBeFocused();
  await expect(again).toHaveCount(0);
  await expect(cardOf(page, 'Чужая')).toHaveCount(0);
});
