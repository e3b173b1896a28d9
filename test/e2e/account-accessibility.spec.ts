import { expectAccessible } from './support/accessible.ts';
import { mainButton, newEmailField, openAs, paths, problem, usernameField } from './support/account.ts';
import { codeField, newAddress, wrong } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';

test('a new address, invalid and taken, and its code', async ({ page, wall, mail, pageErrors }) => {
  pageErrors.expect(/400/);
  await openAs(page, wall, paths.email);
  await expectAccessible(page);
  await newEmailField(page).press('Enter');
  await expect(problem(page)).toBeVisible();
  await expectAccessible(page);
  const email = newAddress();
  await newEmailField(page).fill(email);
  await mainButton(page, 'Получить код').click();
  await codeField(page).fill(wrong(await mail.codeTo(email)));
  await expect(problem(page)).toBeVisible();
  await expectAccessible(page);
});

test('a username, checked and rejected', async ({ page, wall }) => {
  await openAs(page, wall, paths.username);
  await expectAccessible(page);
  await usernameField(page).fill('abc');
  await expect(problem(page)).toBeVisible();
  await expectAccessible(page);
  await usernameField(page).fill(`free_${Date.now()}`);
  await expect(mainButton(page, 'Сохранить')).toBeEnabled();
  await expectAccessible(page);
});

test('account deletion and its code', async ({ page, wall }) => {
  await openAs(page, wall, paths.deletion);
  await expectAccessible(page);
  await mainButton(page, 'Получить код').click();
  await expect(codeField(page)).toBeFocused();
  await expectAccessible(page);
});
