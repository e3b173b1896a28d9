import { hydrated } from './support/app.ts';
import { cardOf, scrollToPost } from './support/feed.ts';
import { boris, texts } from './support/lived-in-wall.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'navigation'));
  await page.goto('/');
  await hydrated(page);
  expect(await page.evaluate(() => 'navigation' in window)).toBe(false);
});

test('without the Navigation API links load whole pages', async ({ page, wall }) => {
  await Promise.all([page.waitForEvent('load'), cardOf(page, texts.discussed).locator('time').click()]);
  await expect(page).toHaveURL(`/posts/${wall.ids.discussed}`);
  await hydrated(page);
  await Promise.all([page.waitForEvent('load'), page.getByRole('main').getByRole('link', { name: boris }).click()]);
  await hydrated(page);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).toHaveTitle(`${boris}: ${texts.discussed} - Стена`);
  await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: 'Лента' }).click()]);
  await expect(page).toHaveTitle('Стена');
});

test('its feed goes on as it is scrolled', async ({ page }) => {
  await scrollToPost(page, 30);
});

test('a card opens by a click on it', async ({ page, wall }) => {
  await page.getByRole('feed').getByText(texts.discussed).click();
  await expect(page).toHaveURL(`/posts/${wall.ids.discussed}`);
});

test('the back button of a first page leads to the feed', async ({ page, wall }) => {
  await page.goto('about:blank');
  await page.goto(`/posts/${wall.ids.discussed}`);
  await hydrated(page);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).toHaveURL(`${wall.url}/`);
});
