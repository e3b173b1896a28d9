import { expectSameDocument, hydrated, markDocument } from './support/app.ts';
import { cardOf } from './support/feed.ts';
import { anna, boris, texts } from './support/populated-wall.ts';
import { expect, test } from './support/test.ts';

test.beforeEach(async ({ page }) => {
  await page.goto('/');
  await hydrated(page);
  await markDocument(page);
});

test('a post, its author and the feed open without a page load, each with its title', async ({ page, wall }) => {
  const post = cardOf(page, texts.discussed);
  await post.locator('time').click();
  await expect(page).toHaveURL(`/posts/${wall.ids.discussed}`);
  await expect(page).toHaveTitle(`${boris}: ${texts.discussed} - Стена`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Запись');
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();

  await page.getByRole('main').getByRole('link', { name: boris }).first().click();
  await expect(page).toHaveURL(`/users/${boris}`);
  await expect(page).toHaveTitle(`${boris} - Стена`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(boris);

  await page.getByRole('link', { name: 'Лента' }).click();
  await expect(page).toHaveURL('/');
  await expect(page).toHaveTitle('Стена');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Стена');
  await expectSameDocument(page);
});

test('a missing page is reported without a page load too', async ({ page, pageErrors }) => {
  pageErrors.expect(/404/);
  await page.evaluate(() => navigation.navigate('/posts/999999'));
  await expect(page.getByRole('heading', { name: 'Запись не найдена' })).toBeVisible();
  await expect(page.getByText('Запись не существует или была удалена')).toBeVisible();
  await expect(page).toHaveTitle('Запись не найдена - Стена');
  await page.evaluate(() => navigation.navigate('/users/nobody_here'));
  await expect(page.getByRole('heading', { name: 'Страница не существует' })).toBeVisible();
  await page.evaluate(() => navigation.navigate('/no/such/page'));
  await expect(page.getByText('Проверьте корректность адреса')).toBeVisible();
  await expect(page).toHaveTitle('Страница не существует - Стена');
  await expectSameDocument(page);
});

test('a new page starts at its top', async ({ page }) => {
  await page.evaluate(() => scrollTo(0, 600));
  await cardOf(page, texts.modified).locator('time').click();
  await expect(page.getByRole('heading', { name: 'Ответы' })).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('the back button goes one step back inside the app', async ({ page }) => {
  await cardOf(page, texts.discussed).locator('time').click();
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
});

test('the back button of the first page leads to the feed, not out of the app', async ({ page, wall }) => {
  await page.goto('about:blank');
  await page.goto(`/posts/${wall.ids.discussed}`);
  await hydrated(page);
  await markDocument(page);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).toHaveURL(`${wall.url}/`);
  await expect(page).toHaveTitle('Стена');
  await expectSameDocument(page);
});

test('the feed is a top-level page and has no back button', async ({ page }) => {
  await expect(page.getByRole('button', { name: 'Назад' })).toHaveCount(0);
  await cardOf(page, texts.discussed).locator('time').click();
  await expect(page.getByRole('button', { name: 'Назад' })).toBeVisible();
});

test('the skip link leads to the content and stays on the page', async ({ page, wall }) => {
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'К содержанию' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${wall.url}/#main`);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Подробнее' })).toBeFocused();
  await expectSameDocument(page);
});

test('a click with Ctrl opens a new tab', async ({ page, wall }) => {
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    cardOf(page, texts.discussed)
      .locator('time')
      .click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await expect(tab).toHaveURL(`${wall.url}/posts/${wall.ids.discussed}`);
  await expect(page).toHaveURL(`${wall.url}/`);
  await expectSameDocument(page);
});

test('a slow page shows skeletons, and a second click does not send a second request', async ({ page }) => {
  let asked = 0;
  await page.route('**/api/v1/users/*', async (route) => {
    asked += 1;
    await new Promise((later) => setTimeout(later, 600));
    await route.continue();
  });
  const author = cardOf(page, texts.discussed).getByRole('link', { name: boris });
  await author.dblclick();
  await expect(page.locator('main [aria-busy=true]')).toBeVisible();
  await expect(page).toHaveTitle(`${boris} - Стена`);
  await expect(page.getByText(/запис(ь|и|ей) · на стене с/)).toBeVisible();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
  expect(asked).toBe(1);
});

test('a page that fails to load can be retried', async ({ page, pageErrors }) => {
  pageErrors.expect(/503/);
  await page.route('**/api/v1/users/*', (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await cardOf(page, texts.discussed).getByRole('link', { name: boris }).click();
  await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
  await page.getByRole('button', { name: 'Повторить' }).click();
  await expect(page).toHaveTitle(`${boris} - Стена`);
  await expectSameDocument(page);
});

test('an author is found by the name in another letter case', async ({ page }) => {
  await page.evaluate((name) => navigation.navigate(`/users/${name}`), anna.toUpperCase());
  await expect(page).toHaveTitle(`${anna} - Стена`);
});
