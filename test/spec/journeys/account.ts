import type { Page, Route } from '@playwright/test';
import { openPage } from '../../e2e/support/app.ts';
import {
  mainButton,
  newEmailField,
  paths,
  row,
  usernameField,
  closeOthersButton,
  others,
} from '../../e2e/support/account.ts';
import { button, codeField, emailField, profileLink, signInButton } from '../../e2e/support/sign-in.ts';
import { heading } from '../../e2e/support/views.ts';
import { expect, type Scene, passToast, press, toast } from '../scene.ts';

const under = (page: Page) => page.getByRole('main').getByRole('alert').filter({ hasText: /./ });
const note = (page: Page, text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text });
const titled = async (page: Page, title: string) => {
  await expect(heading(page)).toHaveText(title);
  await expect(page).toHaveTitle(`${title} - Стена`);
};

/** The settings and the name. */
export async function naming({ check, newPage, email, author, place }: Scene): Promise<void> {
  const page = await newPage();
  await openPage(page, '/');
  await check('2.37', async () => {
    await profileLink(page).click();
    await expect(page).toHaveURL('/settings');
  });
  await check(['2.15', '2.30', '2.35'], async () => {
    await titled(page, 'Настройки');
    await expect(row(page, 'Электронная почта')).toContainText(email);
    await expect(row(page, 'Имя пользователя')).toContainText(/user_\w{8}/);
    await expect(page.getByRole('button', { name: 'Назад' })).toBeVisible();
  });
  await check('2.16', () => expect(row(page, 'Устройства')).toBeVisible());
  await check('2.17', () => expect(mainButton(page, 'Выйти')).toBeVisible());

  await openPage(page, paths.username);
  await check('2.19', async () => {
    await titled(page, 'Имя пользователя');
    await expect(page.getByRole('form', { name: 'Задать имя пользователя' })).toBeVisible();
  });
  const save = mainButton(page, 'Сохранить');
  const refused: Array<[id: '5.18' | '5.19' | '5.20' | '5.21', typed: string, message: string]> = [
    ['5.18', '', 'Введите имя пользователя'],
    ['5.19', 'четы', 'Имя пользователя должно быть не меньше 5 символов'],
    ['5.19', 'four', 'Имя пользователя должно быть не меньше 5 символов'],
    ['5.20', 'n'.repeat(33), 'Имя пользователя должно быть не большое 32 символов'],
    ['5.21', 'пятеро', 'Введите корректное имя пользователя'],
    ['5.21', 'with-dash', 'Введите корректное имя пользователя'],
    ['5.21', ' abcdef ', 'Введите корректное имя пользователя'],
  ];
  for (const [id, typed, message] of refused) {
    await check([id, '4.31', '9.8'], async () => {
      await usernameField(page).fill(typed);
      await expect(under(page)).toHaveText(message);
      await expect(save).toBeDisabled();
    });
  }
  const name = `Guest_${place}_1`;
  const release = Promise.withResolvers<void>();
  const asked: string[] = [];
  await page.route('**/validation', async (route) => {
    asked.push(new URL(route.request().url()).pathname);
    await release.promise;
    await route.continue();
  });
  await check(['5.22', '9.11', '4.31'], async () => {
    await page.clock.pauseAt(Date.now() + 120_000);
    await usernameField(page).fill(name);
    await page.clock.runFor(499);
    expect(asked).toEqual([]);
    await page.clock.runFor(1);
    await expect.poll(() => asked).toEqual([`/api/v1/users/${name}/validation`]);
    await page.clock.resume();
  });
  await check(['5.23', '4.31'], () => expect(note(page, 'Проверка имени пользователя...')).toBeVisible());
  release.resolve();
  await check(['5.24', '4.31'], () => expect(note(page, 'Имя пользователя свободно')).toBeVisible());
  await check('8.20', async () => {
    const taken = await author.call('GET', '/users/current');
    const answer = page.waitForResponse('**/validation');
    await usernameField(page).fill(taken.username);
    const { status, message } = { status: (await answer).status(), ...(await (await answer).json()) };
    expect(status).toBe(400);
    await expect(under(page)).toHaveText(message);
  });
  await check(['1.3', '9.8'], async () => {
    await usernameField(page).fill(name);
    await expect(note(page, 'Имя пользователя свободно')).toBeVisible();
    await save.click();
    await expect(page).toHaveURL('/settings');
    await expect(row(page, 'Имя пользователя')).toContainText(name);
  });
  await page.context().close();
}

/** The address. */
export async function moving(scene: Scene): Promise<void> {
  const { check, newPage, wall, author } = scene;
  const page = await newPage();
  const next = wall.newAddress();
  await openPage(page, paths.email);
  await check('2.18', async () => {
    await titled(page, 'Электронная почта');
    await expect(page.getByRole('form', { name: 'Изменить электронную почту' })).toBeVisible();
  });
  const send = mainButton(page, 'Получить код');
  await check(['5.16', '5.17'], async () => {
    await newEmailField(page).fill('');
    await expect(send).toBeDisabled();
    await newEmailField(page).fill('мимо');
    await newEmailField(page).press('Enter');
    await expect(under(page)).toHaveText('Введите корректный email');
    await expect(send).toBeDisabled();
  });
  await check('5.17', async () => {
    await newEmailField(page).fill(author.email);
    await expect(send).toBeEnabled();
    await send.click();
    await expect(under(page)).toHaveText(/./);
    await expect(send).toBeDisabled();
  });
  const start = '**/api/v1/users/current/email';
  const general = 'Что-то пошло не так. Попробуйте ещё раз.';
  const answering = (status: number, code: string, message: string) => (route: Route) =>
    route.fulfill({ status, json: { code, message } });
  await check('8.13', async () => {
    await page.route(start, answering(400, 'USER_NOT_FOUND', 'Сервер такого не знает'), { times: 1 });
    await newEmailField(page).fill(next);
    await send.click();
    await expect(under(page)).toHaveText('Сервер такого не знает');
  });
  await check('8.17', async () => {
    await page.route(start, answering(500, 'INTERNAL', general), { times: 1 });
    await newEmailField(page).fill(`other.${next}`);
    await send.click();
    await expect(toast(page, general)).toBeVisible();
    await expect(under(page)).toBeHidden();
  });
  await page.unrouteAll();
  await passToast(page, general);
  await newEmailField(page).fill(next);
  const started = page.waitForResponse(start);
  await send.click();
  await check('4.32', async () => {
    expect((await started).status()).toBe(201);
    expect(Object.keys(await (await started).json())).toEqual(['id']);
    await expect(codeField(page)).toBeVisible();
  });
  await codeField(page).fill(await wall.mailbox.codeTo(next));
  await check(['1.3', '4.33', '4.34'], async () => {
    await expect(page).toHaveURL('/settings');
    await expect(row(page, 'Электронная почта')).toContainText(next);
  });
  scene.email = next;
  await page.context().close();
}

/** The sessions, and the end of this one. */
export async function leaving(scene: Scene): Promise<void> {
  const { check, newPage, wall, email } = scene;
  const [phoneOfMine, tablet] = [wall.visitor(), wall.visitor()];
  await phoneOfMine.enter('logins', email);
  await tablet.enter('registrations', email);
  const page = await newPage();
  await openPage(page, '/settings/devices');
  await check(['2.20', '2.21', '1.16'], async () => {
    await titled(page, 'Устройства');
    await expect(others(page)).toHaveCount(2);
  });
  await check('6.9', async () => {
    const current = page.getByRole('region', { name: 'Текущий сеанс' });
    await expect(current).toContainText('Linux');
    await expect(current.getByRole('button')).toHaveCount(0);
    await expect(current.getByRole('link')).toHaveCount(0);
  });
  const isOut = async (program: typeof tablet) =>
    expect((await program.send('GET', '/users/current')).status).toBe(401);
  await others(page).first().getByRole('link').click();
  await check('2.52', async () => {
    await expect(page.getByRole('dialog')).toContainText('Opera');
    await expect(page.getByRole('dialog')).toContainText('117.0');
    await expect(page.getByRole('dialog')).toContainText('Haiku');
  });
  await check(['4.29', '1.16'], async () => {
    await press(page, 'Завершить сеанс').click();
    await expect(toast(page, 'Сессия завершена')).toBeVisible();
    await expect(others(page)).toHaveCount(1);
  });
  await passToast(page, 'Сессия завершена');
  await closeOthersButton(page).click();
  await check('2.53', () => expect(page.getByRole('dialog', { name: 'Завершить другие сеансы?' })).toBeVisible());
  await check(['4.30', '1.16'], async () => {
    await press(page, 'Завершить').click();
    await expect(toast(page, 'Сессии завершены')).toBeVisible();
    await expect(others(page)).toHaveCount(0);
    await isOut(phoneOfMine);
    await isOut(tablet);
  });

  await page.getByRole('button', { name: 'Назад' }).click();
  await openPage(page, '/settings');
  const ended = page.waitForRequest((request) => request.method() === 'DELETE');
  await mainButton(page, 'Выйти').click();
  await check(['4.18', '7.2'], async () => {
    expect(new URL((await ended).url()).pathname).toBe('/api/v1/sessions/current');
    expect((await (await ended).allHeaders())['authorization']).toMatch(/^Bearer ./);
  });
  await check('4.20', () => expect(page).toHaveURL('/'));
  await check('4.19', async () => {
    await expect(signInButton(page)).toBeVisible();
    await openPage(page, '/liked');
    await expect(page.getByRole('heading', { name: 'Нужно войти' })).toBeVisible();
  });

  await openPage(page, '/');
  await signInButton(page).click();
  await emailField(page).fill(email);
  await button(page, 'Получить код').click();
  await check('4.6', async () => {
    await expect(codeField(page)).toBeVisible();
    const loaded = page.waitForEvent('load');
    await codeField(page).fill(await wall.mailbox.codeTo(email));
    await loaded;
  });
  await check('4.7', () => expect(profileLink(page)).toBeVisible());
  await page.context().close();
}
