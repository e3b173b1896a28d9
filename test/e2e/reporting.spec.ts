import type { Page } from '@playwright/test';
import { openPage } from './support/app.ts';
import { askForCode, codeField, newPerson } from './support/sign-in.ts';
import { cardOf } from './support/feed.ts';
import { expect, test } from './support/test.ts';
import { callsOf, choice, choose, signInNewPerson, menuButton, toast } from './support/writing.ts';
import type { Wall } from './support/wall.ts';

const text = 'Купите у меня гараж';
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Пожаловаться' });

test('a report needs a reason', async ({ page, ownWall }) => {
  await advertise(ownWall);
  await signInNewPerson(page, ownWall);
  const calls = callsOf(page, 'POST', /\/reports$/);
  await choose(page, text, 'Пожаловаться');
  await expect(dialog(page).getByRole('radio')).toHaveCount(7);
  await expect(choice(page, 'Отправить')).toBeDisabled();
  await dialog(page).getByText('Спам').click();
  await choice(page, 'Отправить').dblclick();
  await expect(toast(page, 'Жалоба отправлена')).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await expect(menuButton(page, text)).toBeFocused();
  expect(calls).toHaveLength(1);
});

test('works by keyboard alone', async ({ page, ownWall }) => {
  await advertise(ownWall);
  await signInNewPerson(page, ownWall);
  await menuButton(page, text).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Пожаловаться' })).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('radio').first().waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowDown');
  await expect(dialog(page).getByLabel('Оскорбления и травля')).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Жалоба отправлена')).toBeVisible();
});

test('reasons that fail to load can be retried', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/ERR_CONNECTION_RESET/);
  await advertise(ownWall);
  await signInNewPerson(page, ownWall);
  await page.route('**/reports/reasons', (route) => route.abort('connectionreset'));
  await choose(page, text, 'Пожаловаться');
  await expect(dialog(page)).toContainText('Нет соединения');
  await page.unroute('**/reports/reasons');
  await choice(page, 'Повторить').click();
  await expect(dialog(page).getByRole('radio')).toHaveCount(7);
});

test('reporting a deleted post removes it', async ({ page, ownWall, pageErrors }) => {
  pageErrors.expect(/404/);
  const id = await advertise(ownWall);
  await signInNewPerson(page, ownWall);
  await choose(page, text, 'Пожаловаться');
  await dialog(page).getByText('Спам').click();
  await ownWall.seed.remove(id);
  await choice(page, 'Отправить').click();
  await expect(toast(page, 'Сообщение не найдено')).toBeVisible();
  await expect(cardOf(page, text)).toBeHidden();
});

test('a visitor signs in first and finds the dialog open', async ({ page, ownWall, mail }) => {
  await advertise(ownWall);
  const { email } = await newPerson(ownWall);
  await openPage(page, ownWall.url);
  await choose(page, text, 'Пожаловаться');
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await dialog(page).getByText('Мошенничество').click();
  await choice(page, 'Отправить').click();
  await expect(toast(page, 'Жалоба отправлена')).toBeVisible();
});

async function advertise({ seed }: Wall): Promise<number> {
  const by = await seed.person('galina_m');
  const [id] = await seed.posts([{ by, text }]);
  return id!;
}
