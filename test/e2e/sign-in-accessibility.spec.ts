import { expectAccessible } from './support/accessible.ts';
import {
  askForCode,
  button,
  codeField,
  dialog,
  emailField,
  newAddress,
  newPerson,
  openDialog,
  signIn,
  wrong,
} from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test.describe.configure({ timeout: 60_000 });

test('the address field, empty and invalid', async ({ page, wall }) => {
  await openDialog(page, wall.url);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('Введите email');
  await expectAccessible(page);
});

test('the offer of registration', async ({ page, wall, pageErrors }) => {
  pageErrors.expect(/400/);
  await openDialog(page, wall.url);
  await emailField(page).fill(newAddress());
  await button(page, 'Получить код').click();
  await expect(button(page, 'Продолжить')).toBeFocused();
  await expectAccessible(page);
});

test('the code field, empty and wrong', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  const { email } = await newPerson(wall);
  await openDialog(page, wall.url);
  await askForCode(page, email);
  await expect(dialog(page).getByRole('status')).toContainText('Письмо принято');
  await expectAccessible(page);
  await codeField(page).fill(wrong(await mail.codeTo(email)));
  await expect(dialog(page).getByRole('alert')).toContainText('Неверный код');
  await expectAccessible(page);
});

test('the feed and the settings of a signed-in person', async ({ page, wall, mail }) => {
  await signIn(page, mail, wall.url, await newPerson(wall));
  await expectAccessible(page);
  await page.goto(`${wall.url}/settings`);
  await expect(page.getByRole('button', { name: 'Выйти' })).toBeVisible();
  await expectAccessible(page);
});
