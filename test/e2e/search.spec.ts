import { hydrated, markDocument, openPage } from './support/app.ts';
import {
  articles,
  cardOf,
  expectScrollPosition,
  scrollPosition,
  scrollToPost,
  layoutIsStable,
} from './support/feed.ts';
import { search, searchField, seedBakeries } from './support/search.ts';
import { phone } from './support/screens.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { expect, test } from './support/test.ts';
import { expectTexts, heading } from './support/views.ts';

test('another search keeps the field, and Back brings back the results and the place', async ({ page, ownWall }) => {
  await seedBakeries(ownWall, 30);
  await search(page, ownWall, 'пекарня');
  await markDocument(page);
  await scrollToPost(page, 25);
  const time = cardOf(page, 'Пекарня 25').last().locator('time[title]');
  // A click would scroll there as well.
  await time.scrollIntoViewIfNeeded();
  await layoutIsStable(page);
  const before = await scrollPosition(page);
  await time.click();
  await expect(heading(page)).toHaveText('Запись');
  await page.goBack();
  await expectScrollPosition(page, before);
  await page.reload();
  await hydrated(page);
  await expect(cardOf(page, 'Пекарня 25').last()).toBeInViewport();

  await page.evaluate(() => scrollTo(0, 0));
  await searchField(page).fill('другом');
  await page.keyboard.press('Enter');
  await expectTexts(page, ['О другом']);
  await page.goBack();
  await expect(searchField(page)).toHaveValue('пекарня');
  await expect(articles(page).first()).toContainText('Пекарня 1');
  await page.goForward();
  await expect(searchField(page)).toHaveValue('другом');
});

test('what is typed while the results are loading stays', async ({ page, ownWall }) => {
  await seedBakeries(ownWall, 3);
  await watchShift(page);
  await openPage(page, `${ownWall.url}/search`);
  let respond = () => {};
  const asked = new Promise<void>((go) => (respond = go));
  await page.route('**/api/v1/posts/search?*', (route) => asked.then(() => route.continue()));
  await searchField(page).fill('пекарня');
  await searchField(page).evaluate((field: HTMLInputElement) => {
    field.form!.requestSubmit();
    field.value = 'пекарня у моста';
  });
  await expect(page.locator('main [aria-busy=true]')).toBeVisible();
  const skeleton = await page.locator('main [aria-busy=true] > div').first().boundingBox();
  respond();
  await expectTexts(page, ['Пекарня 1', 'Пекарня 2', 'Пекарня 3']);
  expect((await articles(page).first().boundingBox())!.y).toBe(skeleton!.y);
  await expect(searchField(page)).toHaveValue('пекарня у моста');
  await expectNoShift(page);
});

test.describe('on a phone', () => {
  test.use({ viewport: phone, hasTouch: true });

  test('the header leads to the search, and the bottom bar keeps its four entries', async ({ page, ownWall }) => {
    await openPage(page, ownWall.url);
    const bar = page.getByRole('navigation', { name: 'Нижняя панель' });
    await expect(bar.locator('a, button')).toHaveCount(4);
    const link = page.getByRole('banner').getByRole('link', { name: 'Поиск' });
    const { width, height } = (await link.boundingBox())!;
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    await link.click();
    await expect(searchField(page)).toBeFocused();
    await expect(link).toBeHidden();
  });
});
