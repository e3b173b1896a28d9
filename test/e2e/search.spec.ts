import { openPage, reloadPage } from './support/app.ts';
import { articles, cardOf } from './support/feed.ts';
import { phone } from './support/screens.ts';
import { search, searchField, searchLink, searchPath, seedBakeries } from './support/search.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { newPerson, restoreSession } from './support/sign-in.ts';
import { holdBack } from './support/code-files.ts';
import { expect, test } from './support/test.ts';
import { expectTexts } from './support/views.ts';
import { choice, choose, textField } from './support/writing.ts';

test('posts in the results change where they stand, without marks in another text', async ({ page, ownWall }) => {
  const by = await seedBakeries(ownWall, 1);
  const [edited, gone] = await ownWall.seed.posts(['Наша пекарня', 'Их пекарня'].map((text) => ({ by, text })));
  const me = await newPerson(ownWall);
  await ownWall.seed.posts([{ by: me.id, text: 'Моя пекарня' }]);
  await restoreSession(page, ownWall, me, searchPath('пекарня'));
  await choose(page, 'Моя', /^Изменить/);
  await textField(page).fill('Моя старая пекарня');
  await choice(page, 'Сохранить').click();
  await expect(cardOf(page, 'Моя старая пекарня').locator('mark')).toHaveCount(0);
  await ownWall.seed.edit(edited!, 'Опечатка, простите');
  await expect(cardOf(page, 'Опечатка')).toContainText('изменено');
  await expect(page.locator('main mark')).toHaveText(['пекарня', 'Пекарня']);
  await ownWall.seed.remove(gone!);
  await expectTexts(page, ['Моя старая пекарня', 'Опечатка, простите', 'Пекарня 1']);
  await choose(page, 'Моя', 'Удалить');
  await choice(page, 'Удалить').click();
  await expectTexts(page, ['Опечатка, простите', 'Пекарня 1']);
  await expect(articles(page).first()).toHaveAttribute('aria-setsize', '2');
  await reloadPage(page);
  await expectTexts(page, ['Пекарня 1']);
});

test('after a failure the field stays, and a retry finds the posts', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  pageErrors.expect(/429/);
  await seedBakeries(ownWall, 1);
  await openPage(page, `${ownWall.url}/search`);
  await expect(searchField(page)).toBeFocused();
  const json = { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' };
  const busy = { status: 429, headers: { 'retry-after': '42' }, json };
  await page.route('**/posts/search?*', (route) => route.fulfill(busy), { times: 1 });
  await page.route('**/posts/search?*', (route) => route.abort('connectionreset'), { times: 1 });
  await searchField(page).fill('пекарня');
  await page.keyboard.press('Enter');
  for (const message of ['Сервер не отвечает', /Слишком много запросов\. Повторить можно через \d+ сек/]) {
    await expect(page.getByRole('main')).toContainText(message);
    await expect(searchField(page)).toHaveValue('пекарня');
    await page.getByRole('button', { name: 'Повторить' }).click();
  }
  await expectTexts(page, ['Пекарня 1']);
  await expect(page).toHaveTitle('пекарня: поиск - Стена');
  await expect(page.getByRole('main')).toBeFocused();
});

test.describe('for members only', () => {
  test.use({ settings: { SEARCH: 'members' } });

  test('a visitor is asked to sign in where the results would be, for each query', async ({
    page,
    ownWall,
    pageErrors,
  }) => {
    pageErrors.expect(/401/);
    await seedBakeries(ownWall, 1);
    await search(page, ownWall, 'пекарня');
    const asked = page.getByRole('heading', { name: 'Поиск — для тех, кто вошёл' });
    await expect(asked).toBeVisible();
    await searchField(page).fill('другом');
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(ownWall.url + searchPath('другом'));
    await expect(asked).toBeVisible();
    await expect(page.getByRole('main').getByRole('button', { name: 'Войти' })).toHaveCount(1);
  });
});

test.describe('after too many searches', () => {
  test.use({ settings: { RATE_LIMITS: 'on' } });

  test('visitors keep their query and are asked to sign in, members find', async ({ page, ownWall, pageErrors }) => {
    pageErrors.expect(/429/);
    await seedBakeries(ownWall, 1);
    const address = ownWall.url + searchPath('пекарня');
    let refused: Response;
    do refused = await fetch(`${address}+${Math.random()}`);
    while (refused.status !== 429);
    const body = await refused.text();
    await page.route(address, (route) => route.fulfill({ status: 429, contentType: 'text/html', body }));
    await search(page, ownWall, 'пекарня');
    await expect(page.getByRole('heading', { name: 'Слишком много запросов' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('Подождите немного или войдите');
    await expect(searchField(page)).toHaveValue('пекарня');
    await expect(page.getByRole('main').getByRole('button', { name: 'Войти' })).toHaveCount(1);
    await page.unroute(address);
    await restoreSession(page, ownWall, await newPerson(ownWall), searchPath('пекарня'));
    await expectTexts(page, ['Пекарня 1']);
    await expect(page.locator('main mark')).toHaveText(['Пекарня']);
  });
});

test('what is typed while the results are loading stays', async ({ page, ownWall }) => {
  await seedBakeries(ownWall, 3);
  await watchShift(page);
  await openPage(page, `${ownWall.url}/search`);
  const held = await holdBack(page, '**/api/v1/posts/search?*');
  await searchField(page).fill('пекарня');
  await searchField(page).evaluate((field: HTMLInputElement) => {
    field.form!.requestSubmit();
    field.value = 'пекарня у моста';
  });
  await expect(page.locator('main [aria-busy=true]')).toBeVisible();
  const skeleton = await page.locator('main [aria-busy=true] > div').first().boundingBox();
  held.resolve();
  await expectTexts(page, ['Пекарня 1', 'Пекарня 2', 'Пекарня 3']);
  await expect.poll(async () => (await articles(page).first().boundingBox())!.y).toBe(skeleton!.y);
  await expect(searchField(page)).toHaveValue('пекарня у моста');
  await expectNoShift(page);
});

test('the slash opens the search and puts the cursor into its field', async ({ page, ownWall }) => {
  await seedBakeries(ownWall, 2);
  await openPage(page, ownWall.url);
  await expect(searchLink(page)).toHaveAttribute('aria-keyshortcuts', '/');
  await page.keyboard.press('/');
  await expect(searchField(page)).toBeFocused();
  await page.keyboard.type('пекарня/');
  await expect(searchField(page)).toHaveValue('пекарня/');
  await searchField(page).fill('пекарня');
  await page.keyboard.press('Enter');
  await expect(articles(page)).toHaveCount(2);
  await page.keyboard.press('j');
  await expect(articles(page).first()).toBeFocused();
  await page.keyboard.press('/');
  await expect(searchField(page)).toBeFocused();
  // The query is selected: typing replaces it.
  await page.keyboard.type('другом');
  await expect(searchField(page)).toHaveValue('другом');
});

test('on a phone the header leads to the search, and the bottom bar keeps its three entries', async ({ page }) => {
  await page.setViewportSize(phone);
  await openPage(page, '/');
  await expect(page.getByRole('navigation', { name: 'Нижняя панель' }).locator('a, button')).toHaveCount(3);
  const link = page.getByRole('banner').getByRole('link', { name: 'Поиск' });
  const { width, height } = (await link.boundingBox())!;
  expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
  await link.click();
  await expect(searchField(page)).toBeFocused();
  await expect(link).toBeHidden();
});
