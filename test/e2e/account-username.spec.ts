import type { Page } from '@playwright/test';
import { mainButton, openAs, paths, problem, row, usernameField } from './support/account.ts';
import { newPerson, profileLink } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { callsOf, toast } from './support/writing.ts';

const check = /\/users\/[^/]+\/validation$/;
const profile = /\/users\/current\/profile$/;
const free = (): string => `free_${Date.now() % 1e9}_${Math.floor(Math.random() * 1e6)}`;

const note = (page: Page, text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text });
const isFree = (page: Page) => expect(note(page, 'Имя пользователя свободно')).toBeVisible();

test('a new username appears at once on posts and in every tab', async ({ page, context, ownWall }) => {
  const { name } = await openAs(page, ownWall, paths.settings, ['Моя запись']);
  const other = await context.newPage();
  await other.goto(ownWall.url);
  await expect(cardOf(other, 'Моя запись')).toContainText(name);
  await page.goto(ownWall.url);
  await profileLink(page).click();
  await row(page, 'Имя пользователя').click();
  await expect(page).toHaveTitle('Имя пользователя - Стена');
  await expect(page.getByRole('form', { name: 'Задать имя пользователя' })).toBeVisible();
  await expect(usernameField(page)).toHaveValue(name);
  await expect(mainButton(page, 'Сохранить')).toBeDisabled();

  const username = free();
  const checks = callsOf(page, 'GET', check);
  await usernameField(page).fill('');
  await usernameField(page).pressSequentially(username, { delay: 20 });
  await isFree(page);
  expect(checks).toEqual([`/api/v1/users/${username}/validation`]);
  await mainButton(page, 'Сохранить').click();
  await expect(toast(page, 'Имя изменено')).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(row(page, 'Имя пользователя')).toContainText(username);
  await expect(profileLink(page)).toHaveText(username);
  await expect(profileLink(other)).toHaveText(username);
  await expect(cardOf(other, 'Моя запись')).toContainText(username);
  await page.getByRole('link', { name: 'Лента' }).first().click();
  await expect(cardOf(page, 'Моя запись')).toContainText(username);
});

test('rejects an invalid username in the browser, without a request', async ({ page, wall }) => {
  const { name } = await openAs(page, wall, paths.username);
  const checks = callsOf(page, 'GET', check);
  for (const [typed, error] of [
    ['', 'Введите имя пользователя'],
    ['abcd', 'Имя пользователя должно быть не меньше 5 символов'],
    ['x'.repeat(33), 'Имя пользователя должно быть не большое 32 символов'],
    ['анна_к', 'Введите корректное имя пользователя'],
  ] as const) {
    await usernameField(page).fill(typed);
    await expect(problem(page)).toHaveText(error);
    await expect(mainButton(page, 'Сохранить')).toBeDisabled();
  }
  await usernameField(page).fill(name);
  await expect(problem(page)).toHaveCount(0);
  await expect(mainButton(page, 'Сохранить')).toBeDisabled();
  await page.waitForTimeout(700);
  expect(checks).toEqual([]);
});

test('shows the server’s message for a taken username', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/400/);
  const { name: taken } = await newPerson(wall);
  await openAs(page, wall, paths.username);
  for (const [username, message] of [
    [taken.toUpperCase(), 'Это имя уже занято.'],
    ['admin', 'Это имя похоже на служебное. Выберите другое.'],
  ] as const) {
    await usernameField(page).fill(username);
    await expect(problem(page)).toHaveText(message);
    await expect(mainButton(page, 'Сохранить')).toBeDisabled();
  }
});

test('a slow check shows progress and is cancelled by a newer one', async ({ page, wall }) => {
  await openAs(page, wall, paths.username);
  await page.route(/slow_name\/validation$/, () => {});
  await usernameField(page).fill('slow_name');
  await expect(note(page, 'Проверка имени пользователя...')).toBeVisible();
  const givenUp = page.waitForEvent('requestfailed');
  await usernameField(page).fill(free());
  await givenUp;
  await isFree(page);
});

test('reports a username taken between the check and the submission', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/400/);
  await openAs(page, wall, paths.username);
  const username = free();
  await usernameField(page).fill(username);
  await isFree(page);
  await wall.seed.person(username);
  await mainButton(page, 'Сохранить').click();
  await expect(problem(page)).toHaveText('Это имя уже занято.');
  await expect(mainButton(page, 'Сохранить')).toBeDisabled();
});

test('offline: reports the failure and checks again once online', async ({ page, context, wall, pageErrors }) => {
  pageErrors.expect(/ERR_INTERNET_DISCONNECTED/);
  await openAs(page, wall, paths.username);
  await context.setOffline(true);
  await usernameField(page).fill(free());
  await expect(problem(page)).toContainText('Нет соединения');
  await context.setOffline(false);
  await isFree(page);
});

test('rate limit: shows when to retry, for the check and for the submission', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/429/);
  await openAs(page, wall, paths.username);
  const refusal = {
    status: 429,
    headers: { 'retry-after': '300' },
    json: { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' },
  };
  const error = 'Слишком много запросов. Повторить можно через 5 мин.';
  await page.route(check, (route) => route.fulfill(refusal));
  await usernameField(page).fill(free());
  await expect(problem(page)).toHaveText(error);
  await page.unroute(check);
  await mainButton(page, 'Сохранить').click();
  await isFree(page);
  await expect(mainButton(page, 'Сохранить')).toBeFocused();
  await page.route(profile, (route) => route.fulfill(refusal));
  await mainButton(page, 'Сохранить').click();
  await expect(problem(page)).toHaveText(error);
  await page.unroute(profile);
  await mainButton(page, 'Сохранить').click();
  await expect(toast(page, 'Имя изменено')).toBeVisible();
});

test('a double click submits once', async ({ page, wall }) => {
  await openAs(page, wall, paths.username);
  const saves = callsOf(page, 'PATCH', profile);
  await usernameField(page).fill(free());
  await isFree(page);
  await mainButton(page, 'Сохранить').dblclick();
  await expect(toast(page, 'Имя изменено')).toBeVisible();
  expect(saves).toHaveLength(1);
});
