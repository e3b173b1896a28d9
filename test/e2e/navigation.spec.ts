import { expectSameDocument, hydrated, markDocument } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { boris, texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/');
  await hydrated(page);
  await markDocument(page);
});

test('a new page starts at its top', async ({ page }) => {
  await page.evaluate(() => scrollTo(0, 600));
  await cardOf(page, texts.modified).locator('time[title]').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('the back button goes one step back inside the app', async ({ page, wall }) => {
  await cardOf(page, texts.discussed).locator('time[title]').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: boris }).first().click();
  await expect(page).toHaveURL(`/users/${boris}`);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).toHaveTitle(`${boris}: ${texts.discussed} - Стена`);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).toHaveTitle('Стена');
  await expectSameDocument(page);
  await page.goForward();
  await expect(page).toHaveTitle(`${boris}: ${texts.discussed} - Стена`);

  // On the first page it leads to the feed, not out of the app.
  await page.goto('about:blank');
  await page.goto(`/posts/${wall.ids.discussed}`);
  await hydrated(page);
  await markDocument(page);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).toHaveURL(`${wall.url}/`);
  await expect(page).toHaveTitle('Стена');
  await expectSameDocument(page);
});

test('the skip link leads to the content and stays on the page', async ({ page, wall }) => {
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'К содержанию' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${wall.url}/#main`);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Новые' })).toBeFocused();
  await expectSameDocument(page);
});
