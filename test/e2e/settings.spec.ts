import { readFile } from 'node:fs/promises';
import { mainButton, openAs, paths, problem, row } from './support/account.ts';
import { askForCode, codeField, dialog, newPerson, restoreSession } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('settings offer a visitor to sign in and open afterwards', async ({ page, wall, mail }) => {
  const { name, email } = await newPerson(wall);
  await page.goto('/settings');
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
  await expect(main).toContainText('«Настройки» — эту страницу видят только те, кто вошёл.');
  await expect(page).toHaveTitle('Настройки - Стена');
  await main.getByRole('button', { name: 'Войти' }).click();
  await expect(dialog(page)).toBeVisible();
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(main).toContainText(email);
  await expect(main).toContainText(name);
  await expect(page).toHaveURL('/settings');
  await expect(page).toHaveTitle('Настройки - Стена');
});

test('settings show the data of the account and link to the pages that change it', async ({ page, wall }) => {
  const { name, email } = await openAs(page, wall, paths.settings);
  for (const [label, value, path, title] of [
    ['Электронная почта', email, '/settings/account/email', 'Электронная почта'],
    ['Имя пользователя', name, '/settings/account/username', 'Имя пользователя'],
    ['Устройства', '', '/settings/devices', 'Устройства'],
    ['Уведомления', '', '/settings/notifications', 'Уведомления'],
    ['Скрытые авторы', '', '/settings/muted', 'Скрытые авторы'],
    ['Удалить учётную запись', '', '/settings/account/deletion', 'Удаление учётной записи'],
  ] as const) {
    await expect(row(page, label)).toContainText(value);
    await row(page, label).click();
    await expect(page).toHaveURL(wall.url + path);
    await expect(page).toHaveTitle(`${title} - Стена`);
    await page.getByRole('button', { name: 'Назад' }).click();
    await expect(page).toHaveTitle('Настройки - Стена');
  }
});

test('the export of the person’s data is downloaded as a file', async ({ page, ownWall }) => {
  const { id, name, email } = await openAs(page, ownWall, paths.settings);
  const [post] = await ownWall.seed.posts([{ by: id, text: 'Моя запись' }]);
  await ownWall.seed.replies(post!, [{ by: id, text: 'Мой ответ' }]);
  await ownWall.seed.like(post!, id);
  const download = page.waitForEvent('download');
  await mainButton(page, 'Скачать мои данные').click();
  const file = await download;
  expect(file.suggestedFilename()).toBe(`stena-${name}.json`);
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({
    account: { username: name, email },
    posts: [{ id: String(post), text: 'Моя запись' }],
    replies: [{ text: 'Мой ответ', replied_post_id: String(post) }],
    likes: [{ post_id: String(post) }],
  });
});

test('a failed download is reported and can be repeated', async ({ page, context, wall, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await openAs(page, wall, paths.settings);
  await context.setOffline(true);
  await mainButton(page, 'Скачать мои данные').click();
  await expect(problem(page)).toContainText('Нет соединения');
  await context.setOffline(false);
  const download = page.waitForEvent('download');
  await mainButton(page, 'Скачать мои данные').click();
  await download;
  await expect(problem(page)).toHaveCount(0);
});

test('pages that fail to load report it and can be retried', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  const code = '**/assets/signed-in-*.js';
  await page.route(code, (route) => route.abort('connectionreset'));
  const failed = page.waitForEvent('requestfailed');
  await restoreSession(page, wall, await newPerson(wall));
  await failed;
  await page.goto(wall.url + paths.settings);
  await expect(page.getByRole('main')).toContainText('Не удалось загрузить');
  await page.unroute(code);
  await mainButton(page, 'Повторить').click();
  await expect(mainButton(page, 'Выйти')).toBeVisible();
});

for (const path of ['/settings/account/email', '/settings/account/username', '/settings/devices', '/settings/muted']) {
  test(`${path} asks visitors to sign in`, async ({ page }) => {
    const response = await page.goto(path);
    expect(response?.status()).toBe(200);
    await expect(page.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
    await expect(mainButton(page, 'Войти')).toBeVisible();
  });
}
