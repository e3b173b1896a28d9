import type { Page } from '@playwright/test';
import { mainButton, openAs, paths, row, usernameField } from './support/account.ts';
import { profileLink } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { callsOf, toast } from './support/writing.ts';

const check = /\/users\/[^/]+\/validation$/;
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
