import { quiet } from './support/app.ts';
import { openAs, paths, row } from './support/account.ts';
import { deskPaths, missing, openDesk, openDeskAs, seedReported, act, reason } from './support/desk.ts';
import { askForCode, codeField, dialog, newPerson } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { callsOf, signInNewPerson } from './support/writing.ts';

const everyPath = [...Object.values(deskPaths), '/moderation/people/somebody'];

test('the settings lead moderators to the desk, and nobody else', async ({ page, ownWall }) => {
  const person = await openAs(page, ownWall, paths.settings);
  await expect(row(page, 'Устройства')).toBeVisible();
  await expect(row(page, 'Модерация')).toHaveCount(0);
  await ownWall.seed.appoint(person);
  await page.reload();
  await row(page, 'Модерация').click();
  await expect(page).toHaveURL(`${ownWall.url}/moderation`);
  await expect(page).toHaveTitle('Модерация - Стена');
  await page.goBack();
  await expect(row(page, 'Модерация')).toBeVisible();
});

test('to everybody else the desk is a page that does not exist', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  await signInNewPerson(page, ownWall);
  await page.goto(`${ownWall.url}/no/such/page`);
  await expect(missing(page)).toBeVisible();
  const same = { main: await page.getByRole('main').innerText(), title: await page.title() };
  for (const path of everyPath) {
    await page.goto(ownWall.url + path);
    await expect(missing(page)).toBeVisible();
    expect({ main: await page.getByRole('main').innerText(), title: await page.title() }, path).toEqual(same);
    await expect(page.getByRole('navigation', { name: 'Модерация' })).toHaveCount(0);
  }
});

test('what is shown meanwhile does not say that there is a desk', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  await signInNewPerson(page, ownWall);
  const titles: string[] = [];
  await page.exposeFunction('noteTitle', (title: string) => titles.push(title));
  await page.addInitScript(() => {
    new MutationObserver(() => window.noteTitle(document.title)).observe(document, { subtree: true, childList: true });
  });
  await page.goto(`${ownWall.url}/moderation`);
  await expect(missing(page)).toBeVisible();
  expect(new Set(titles.filter((title) => title !== ''))).toEqual(new Set(['Страница не существует - Стена']));
  expect(await (await page.request.get(`${ownWall.url}/moderation`)).text()).not.toContain('одераци');
});

test('a visitor is offered to sign in, as on other pages of signed-in people', async ({ page, ownWall, mail }) => {
  const person = await newPerson(ownWall);
  await ownWall.seed.appoint(person);
  await page.goto(`${ownWall.url}/moderation`);
  await expect(missing(page)).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Войти' }).click();
  await expect(dialog(page)).toBeVisible();
  await askForCode(page, person.email);
  await codeField(page).fill(await mail.codeTo(person.email));
  await expect(page.getByRole('heading', { name: 'Жалоб нет' })).toBeVisible();
});

test('nothing of the desk is loaded for others', async ({ page, ownWall }) => {
  const scripts = callsOf(page, 'GET', /desk|pinned-post/);
  await signInNewPerson(page, ownWall);
  await page.goto(ownWall.url + paths.settings);
  await expect(row(page, 'Устройства')).toBeVisible();
  await quiet(page);
  expect(scripts).toEqual([]);
});

test('somebody who is dismissed loses the desk with the next act', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  await seedReported(ownWall, ['Выиграй миллион!']);
  const { name } = await openDeskAs(page, ownWall);
  await ownWall.admin('dismiss-moderator', name, '--reason', 'устал');
  await act(page, 'Выиграй миллион!', 'Скрыть').click();
  await reason(page, 'Мошенничество').click();
  await expect(missing(page)).toBeVisible();
});

test('every page of the desk has its name, and the links between them say which one is shown', async ({
  page,
  ownWall,
}) => {
  await openDeskAs(page, ownWall);
  const links = page.getByRole('navigation', { name: 'Модерация' });
  for (const [name, title, path] of [
    ['Люди', 'Люди: модерация', deskPaths.people],
    ['Приглашения', 'Приглашения: модерация', deskPaths.invites],
    ['Журнал', 'Журнал: модерация', deskPaths.journal],
    ['Объявление', 'Объявление: модерация', deskPaths.pin],
    ['Жалобы', 'Модерация', deskPaths.queue],
  ] as const) {
    await links.getByRole('link', { name }).click();
    await expect(page).toHaveTitle(`${title} - Стена`);
    await expect(page).toHaveURL(ownWall.url + path);
    await expect(links.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
  }
  await openDesk(page, ownWall);
});

declare global {
  interface Window {
    noteTitle(title: string): void;
  }
}
