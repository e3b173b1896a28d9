import type { Page } from '@playwright/test';
import { mainButton, newEmailField, openAs, paths, row } from './support/account.ts';
import { codeField, newAddress } from './support/sign-in.ts';
import { expect, test } from './support/test.ts';
import { toast } from './support/writing.ts';

async function askForCode(page: Page, email: string): Promise<void> {
  await newEmailField(page).fill(email);
  await mainButton(page, 'Получить код').click();
  await expect(codeField(page)).toBeFocused();
}

async function expectChanged(page: Page, email: string): Promise<void> {
  await expect(toast(page, 'Адрес изменён')).toBeVisible();
  await expect(page).toHaveURL(/\/settings$/);
  await expect(row(page, 'Электронная почта')).toContainText(email);
}

test('a code confirms the new address, and the old one is notified', async ({ page, context, wall, mail }) => {
  const person = await openAs(page, wall, paths.settings);
  const other = await context.newPage();
  await other.goto(wall.url + paths.settings);
  await row(page, 'Электронная почта').click();
  await expect(page).toHaveTitle('Электронная почта - Стена');
  await expect(page.getByRole('form', { name: 'Изменить электронную почту' })).toContainText(person.email);
  await expect(mainButton(page, 'Получить код')).toBeDisabled();

  const email = newAddress();
  await askForCode(page, email);
  await expect(page.getByRole('main')).toContainText(`Код отправлен на ${email}`);
  await codeField(page).fill(await mail.codeTo(email));
  await expectChanged(page, email);
  await expect(row(other, 'Электронная почта')).toContainText(email);
  const notice = await mail.mailTo(person.email, ({ text }) => text.includes('адрес вашей учётной записи'));
  expect(notice.text).toContain(`${email[0]}***@example.org`);
  expect(notice.text).toContain(`${wall.url}/undo-email?token=`);

  await page.getByRole('button', { name: 'Назад' }).click();
  await expect(page).not.toHaveURL(/\/email$/);
});
