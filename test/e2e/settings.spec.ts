import type { Locator, Page, Route } from '@playwright/test';
import { expectAccessible } from './support/accessible.ts';
import {
  closeOthersButton,
  mainButton,
  makeToken,
  nameField,
  noOthers,
  openAs,
  openDevices,
  others,
  otherSession,
  paths,
  problem,
  row,
  scope,
  tokens,
} from './support/account.ts';
import { openPage, reloadPage } from './support/app.ts';
import { expectNoShift, watchShift } from './support/shift.ts';
import { codeField, endSessions, profileLink, signInButton } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { choice, dropNextResponse, signInNewPerson, toast } from './support/writing.ts';

test.use({ settings: { CODE_RESEND_SECONDS: '0' } });

test('pages that fail to load are loaded again; one signs out', async ({ page, context, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_FAILED/, /ERR_CONNECTION_RESET/, /ERR_INTERNET_DISCONNECTED/);
  const person = await openAs(page, ownWall, paths.settings, ['раз', 'два', 'три', 'четыре', 'пять']);
  await ownWall.admin('registration', 'members', '--reason', 'свои');
  const main = page.getByRole('main');
  const fail = (route: Route) => (route.request().method() === 'GET' ? route.abort() : route.fallback());
  for (const [name, call, shown, menu = paths.settings] of [
    ['Мои данные', /\/users\/current\/data$/, 'Вход и защита', '/settings/data-and-programs'],
    ['Приглашения', /\/users\/current\/invitations/, 'Сейчас можно сделать ссылок: 3.'],
    ['Устройства', /\/api\/v1\/sessions$/, 'Других сеансов нет'],
  ] as const) {
    await openPage(page, ownWall.url + menu);
    await page.route(call, fail);
    await row(page, name).click();
    await expect(page.getByRole('heading', { name: 'Не удалось загрузить' })).toBeVisible();
    await page.unroute(call);
    await mainButton(page, 'Повторить').click();
    await expect(main).toContainText(shown);
    if (name === 'Приглашения') {
      await dropNextResponse(page, 'POST', /\/invitations$/);
      await mainButton(page, 'Сделать ссылку').click();
      await expect(problem(page)).toHaveText('Сервер не отвечает. Попробуйте ещё раз чуть позже.');
      await mainButton(page, 'Сделать ссылку').click();
      // Repeating makes no second one.
      await expect(main).toContainText('ссылок: 2.');
    }
    if (name === 'Устройства') {
      await ownWall.seed.session(person.id, { userAgent: 'Firefox', userAgentVersion: '145.0.1', os: 'Ubuntu' });
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await expect(others(page)).toHaveCount(1);
    }
    await page.getByRole('button', { name: 'Назад' }).click();
    await expect(row(page, name)).toBeVisible();
  }
  await context.setOffline(true);
  await mainButton(page, 'Выйти').click();
  await expect(problem(page)).toHaveText('Нет соединения. Проверьте сеть и попробуйте ещё раз.');
  await expect(profileLink(page)).toHaveText(person.name);
  await context.setOffline(false);
  await mainButton(page, 'Выйти').click();
  await expect(signInButton(page)).toBeVisible();
});

const notifications = '/settings/notifications';
const saving = '**/api/v1/users/current/notification-settings';
const follows = (page: Page) => page.getByRole('switch', { name: 'Следить за обсуждениями, в которых я отвечаю' });
const letter = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Письмо о непрочитанном' }).getByLabel(name);
const state = (page: Page, text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text });

test('a failure keeps the choice, without a shift; the keyboard is enough', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/503/);
  await watchShift(page);
  await signInNewPerson(page, ownWall, notifications);
  await page.route(saving, (route) => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await letter(page, 'Раз в день').check();
  await expect(problem(page)).toContainText('Не сохранено');
  await expect(letter(page, 'Раз в день')).toBeChecked();
  await expectNoShift(page);
  await expectAccessible(page);
  await mainButton(page, 'Повторить').click();
  await expect(state(page, 'Сохранено')).toBeVisible();
  await expect(problem(page)).toHaveCount(0);
  await reloadPage(page);
  await expect(letter(page, 'Раз в день')).toBeChecked();

  await follows(page).focus();
  await page.keyboard.press('Space');
  await expect(follows(page)).not.toBeChecked();
  await page.keyboard.press('Tab');
  await expect(letter(page, 'Раз в день')).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(letter(page, 'Не присылать')).toBeChecked();
  await expect(state(page, 'Сохранено')).toBeVisible();
  await expect(follows(page)).toHaveAccessibleDescription(/узнаёте и без этого/);
  await expectAccessible(page);
});

test('quick changes are sent one at a time, and the last ones count', async ({ page, ownWall }) => {
  await signInNewPerson(page, ownWall, notifications);
  const sent: string[] = [];
  const isFirstOver = Promise.withResolvers<void>();
  await page.route(saving, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback();
    sent.push(route.request().postDataJSON().digest);
    if (sent.length === 1) await isFirstOver.promise;
    return route.continue();
  });
  await letter(page, 'Раз в день').check();
  await expect(state(page, 'Сохраняем…')).toBeVisible();
  // While a change is sent the controls are marked as disabled, but still accept the next choice.
  await letter(page, 'Раз в неделю').click({ force: true });
  await follows(page).click({ force: true });
  expect(sent).toEqual(['daily']);
  isFirstOver.resolve();
  await expect(state(page, 'Сохранено')).toBeVisible();
  expect(sent).toEqual(['daily', 'weekly']);
  await reloadPage(page);
  await expect(letter(page, 'Раз в неделю')).toBeChecked();
  await expect(follows(page)).not.toBeChecked();
});

test('sessions are seen and ended by keyboard alone', async ({ page, ownWall }) => {
  await openDevices(page, ownWall);
  await tabTo(page, otherSession(page, 'Safari 26'));
  await page.keyboard.press('Enter');
  await expect(choice(page, 'Завершить сеанс')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(otherSession(page, 'Safari 26')).toBeFocused();
  await expect(page.locator('dialog h2')).toHaveCount(0);

  await page.keyboard.press('Enter');
  await tabTo(page, choice(page, 'Завершить сеанс'));
  await page.keyboard.press('Enter');
  await expect(others(page)).toHaveCount(1);

  // Tab continues from the heading, which has the focus.
  await tabTo(page, closeOthersButton(page));
  await page.keyboard.press('Enter');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(noOthers(page)).toBeVisible();
});

test('a failure to end a session is shown; one that has ended is gone', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/, /503/, /404/, /401/);
  await openDevices(page, ownWall);
  await dropNextResponse(page, 'DELETE', /\/sessions\/\d+$/);
  await otherSession(page, 'Safari 26').click();
  await choice(page, 'Завершить сеанс').click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Сервер не отвечает');
  await choice(page, 'Завершить сеанс').click();
  await expect(toast(page, 'Этот сеанс уже был завершён')).toBeVisible();
  await expect(others(page)).toHaveCount(1);

  const held = Promise.withResolvers<void>();
  const json = { code: 'UNAVAILABLE', message: 'Сервис временно недоступен.' };
  await page.route('**/api/v1/sessions', async (route) => {
    if (route.request().method() !== 'DELETE') return route.fallback();
    await held.promise;
    return route.fulfill({ status: 503, json });
  });
  await closeOthersButton(page).click();
  await choice(page, 'Завершить').click();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  held.resolve();
  await expect(problem(page)).toHaveText(json.message);
  await expect(others(page)).toHaveCount(1);

  await endSessions(ownWall, JSON.parse(await ownWall.rows())[0].at(-1).id);
  await otherSession(page, 'Firefox 145').click();
  await expect(signInButton(page)).toBeVisible();
  await expect(page).toHaveURL(`${ownWall.url}/`);
});

async function tabTo(page: Page, wanted: Locator): Promise<void> {
  for (let i = 0; i < 25; i += 1) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not lead to ${wanted.toString()}`);
}

test('a token is made by keyboard, is copied, and ends once', async ({ page, context, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const person = await openAs(page, ownWall, '/settings/programs');
  const end = tokens(page).getByRole('button', { name: 'Завершить' });
  await expectAccessible(page);
  await nameField(page).focus();
  await page.keyboard.type('архив');
  await page.keyboard.press('Tab');
  await expect(scope(page, 'Только читать')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(scope(page, 'Читать и писать')).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(codeField(page)).toBeFocused();
  await page.keyboard.type(await mail.codeTo(person.email));
  await expect(mainButton(page, 'Скопировать токен')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Скопировано')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^stena_[\w-]{43}$/);
  await end.focus();
  await page.keyboard.press('Enter');
  await expect(choice(page, 'Отмена')).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(tokens(page)).toHaveCount(1);
  await dropNextResponse(page, 'DELETE', /\/tokens\/\d+$/);
  await end.click();
  await choice(page, 'Завершить').click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('Сервер не отвечает');
  await choice(page, 'Отмена').click();
  await reloadPage(page);
  await expect(page.getByText('Токенов пока нет')).toBeVisible();
  await makeToken(page, mail, person, { name: 'бот' });
  await end.click();
  await choice(page, 'Завершить').click();
  await expect(page.getByText('Токенов пока нет')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Ваши токены' })).toBeFocused();
});
