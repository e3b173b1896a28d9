import type { Page } from '@playwright/test';
import type { MailServer } from '../kit/smtp.ts';
import { letterHtml } from '../../server/mail/letter.ts';
import { expectFits } from './support/accessible.ts';
import { mainButton, newEmailField, openAs, paths, problem, row, usernameField } from './support/account.ts';
import { hydrated, mutesLoaded, openPage } from './support/app.ts';
import { holdBack } from './support/code-files.ts';
import { cardOf } from './support/feed.ts';
import { takePictures } from './support/gallery.ts';
import { desk, phone } from './support/screens.ts';
import { codeField, endSessions, newAddress, profileLink, signInButton } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import type { Wall } from './support/wall.ts';
import { callsOf, dropNextResponse, toast } from './support/writing.ts';

declare global {
  interface Window {
    sent: number;
  }
}

/** Requests the code for a new address. */
async function askFor(page: Page, email: string): Promise<void> {
  await newEmailField(page).fill(email);
  await mainButton(page, 'Получить код').click();
  await expect(codeField(page)).toBeFocused();
}

test('a new address is in every tab; the letter undoes it', async ({ page, context, wall, mail, pageErrors }) => {
  // The undo ends the session of the page that opens the link afterwards.
  pageErrors.expect(/401/);
  const person = await openAs(page, wall, paths.settings);
  const other = await context.newPage();
  await openPage(other, wall.url + paths.settings);
  await row(page, 'Электронная почта').click();
  await expect(page.getByRole('main')).toContainText(person.email);
  const email = newAddress();
  await askFor(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  for (const tab of [page, other]) await expect(row(tab, 'Электронная почта')).toContainText(email);
  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).not.toHaveURL(/\/email$/);
  await other.close();

  const { text } = await mail.mailTo(person.email, (letter) => letter.text.includes('/undo-email'));
  const [link] = /\S+\/undo-email\?token=\S+/.exec(text)!;
  // The policy of the wall's pages forbids other people's HTML in them.
  await page.goto('about:blank');
  await page.setContent(letterHtml({ subject: 'Новый адрес', appName: 'Стена', paragraphs: [{ link }] }));
  await expectFits(page, phone, desk);
  await openPage(page, link);
  await takePictures(page, 'email-undo');
  await mainButton(page, 'Отменить смену').click();
  await expect(page.getByRole('heading', { name: 'Смена адреса отменена' })).toBeVisible();
  await takePictures(page, 'email-undo-used');
});

test('a form that was sent before hydration is not sent again', async ({ page, wall }) => {
  const release = await holdBack(page, /\.js$/);
  await page.goto(`${wall.url}/undo-email?token=${'a'.repeat(43)}`, { waitUntil: 'commit' });
  await mainButton(page, 'Отменить смену').waitFor();
  await page.evaluate(() => {
    window.sent = 0;
    document.addEventListener('submit', (event) => {
      event.preventDefault();
      window.sent += 1;
    });
  });
  await mainButton(page, 'Отменить смену').click();
  release.resolve();
  await hydrated(page);
  expect(await page.evaluate(() => window.sent)).toBe(1);
});

test('what a new address is refused for leaves the step that helps', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/\b40[03]\b/, /ERR_CONNECTION_RESET/);
  await openAs(page, wall, paths.email);
  const verify = /\/email\/[^/]+\/verify$/;
  const answer = (status: number, code: string, message: string) =>
    page.route(verify, (route) => route.fulfill({ status, json: { code, message } }), { times: 1 });
  const email = newAddress();
  for (const code of ['EMAIL_ALREADY_EXISTS', 'USER_NOT_FOUND']) {
    await askFor(page, `${code.length}${email}`);
    await answer(400, code, 'Так не выйдет.');
    await codeField(page).fill(await mail.codeTo(`${code.length}${email}`));
    await expect(problem(page)).toHaveText('Так не выйдет.');
    await expect(newEmailField(page)).toHaveValue(`${code.length}${email}`);
  }
  await askFor(page, newAddress());
  await page.getByRole('main').getByRole('link', { name: 'Изменить адрес' }).click();
  await expect(newEmailField(page)).toBeFocused();
  await askFor(page, email);
  await answer(403, 'FORBIDDEN', 'Адрес пока нельзя изменить.');
  await codeField(page).fill(await mail.codeTo(email));
  await expect(toast(page, 'Что-то пошло не так. Попробуйте ещё раз.')).toBeVisible();
  await expect(problem(page)).toHaveCount(0);
  await dropNextResponse(page, 'PUT', verify);
  const lost = page.waitForEvent('requestfailed', (request) => verify.test(request.url()));
  await mainButton(page, 'Продолжить').click();
  await lost;
  await mainButton(page, 'Продолжить').click();
  await expect(row(page, 'Электронная почта')).toContainText(email);
});

const check = /\/users\/[^/]+\/validation$/;
const note = (page: Page, text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text });
const isFree = (page: Page) => expect(note(page, 'Имя пользователя свободно')).toBeVisible();

test('a new username appears at once on posts and in every tab', async ({ page, context, ownWall }) => {
  const { name } = await openAs(page, ownWall, paths.settings, ['Моя запись']);
  const other = await context.newPage();
  for (const tab of [page, other]) await openPage(tab, ownWall.url);
  await expect(cardOf(other, 'Моя запись')).toContainText(name);
  await profileLink(page).click();
  await row(page, 'Имя пользователя').click();
  await expect(usernameField(page)).toHaveValue(name);
  await expect(mainButton(page, 'Сохранить')).toBeDisabled();

  const username = 'free_name_42';
  await usernameField(page).fill(username);
  await isFree(page);
  await mainButton(page, 'Сохранить').click();
  await expect(row(page, 'Имя пользователя')).toContainText(username);
  for (const tab of [page, other]) await expect(profileLink(tab)).toHaveText(username);
  await expect(cardOf(other, 'Моя запись')).toContainText(username);
  await page.getByRole('link', { name: 'Лента' }).first().click();
  await expect(cardOf(page, 'Моя запись')).toContainText(username);
});

test('a name is saved once, and may be taken after it was checked', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/400/, /429/);
  await openAs(page, ownWall, paths.username);
  const save = mainButton(page, 'Сохранить');
  const slow = await holdBack(page, '**/slow_name/validation');
  await usernameField(page).fill('slow_name');
  await expect(note(page, 'Проверка имени пользователя...')).toBeVisible();
  await usernameField(page).fill('quick_name');
  await isFree(page);
  slow.resolve();
  await ownWall.seed.person('quick_name');
  await save.click();
  await expect(problem(page)).toHaveText('Это имя уже занято.');
  await expect(save).toBeDisabled();

  const json = { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' };
  const refuse = (path: string | RegExp) =>
    page.route(path, (route) => route.fulfill({ status: 429, headers: { 'retry-after': '300' }, json }), { times: 1 });
  await refuse(check);
  await usernameField(page).fill('vera_pp');
  await expect(problem(page)).toHaveText('Слишком много запросов. Повторить можно через 5 мин.');
  // A name that could not be checked is judged when it is saved.
  await refuse('**/profile');
  await save.click();
  await expect(toast(page, 'Слишком много запросов. Повторить можно через 5 мин.')).toBeVisible();
  const changes = callsOf(page, 'PATCH', /\/profile$/);
  await save.dblclick();
  await expect(toast(page, 'Имя изменено')).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);
  expect(changes).toHaveLength(1);
});

const deleted = 'Учётная запись удалена';

async function openWithCode(page: Page, wall: Wall, mail: MailServer): Promise<number> {
  const { id, email } = await openAs(page, wall, paths.deletion);
  await mainButton(page, 'Получить код').click();
  await codeField(page).fill(await mail.codeTo(email));
  return id;
}

test('a deletion whose response was lost signs out every tab', async ({ page, context, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/, /401/);
  await openWithCode(page, ownWall, mail);
  const other = await context.newPage();
  const mutes = mutesLoaded(other);
  await openPage(other, ownWall.url);
  await mutes;
  const verify = /\/deletion\/[^/]+\/verify$/;
  await dropNextResponse(page, 'POST', verify);
  const lost = page.waitForEvent('requestfailed', (request) => verify.test(request.url()));
  await mainButton(page, 'Удалить учётную запись').click();
  await lost;
  // The reloaded tab gets 401 and informs the other tabs that the session has ended.
  await other.reload();
  await expect(toast(page, deleted)).toBeVisible();
  await expect(page).toHaveURL(`${ownWall.url}/`);
  for (const tab of [page, other]) await expect(signInButton(tab)).toBeVisible();
});

test('nothing is said of a deletion when the session ended elsewhere', async ({ page, ownWall, mail, pageErrors }) => {
  pageErrors.expect(/401/);
  await endSessions(ownWall, await openWithCode(page, ownWall, mail));
  await mainButton(page, 'Удалить учётную запись').click();
  await expect(toast(page, 'Сеанс завершён')).toBeVisible();
  await expect(toast(page, deleted)).toHaveCount(0);
});
