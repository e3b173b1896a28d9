import { expect, type Locator, type Page } from '@playwright/test';
import type { MailServer } from '../../kit/smtp.ts';
import { mainButton, openAs } from './account.ts';
import { codeField, type Person } from './sign-in.ts';
import type { Wall } from './wall.ts';

export const nameField = (page: Page): Locator => page.getByRole('textbox', { name: 'Название' });
export const scope = (page: Page, name: string): Locator => page.getByRole('radio', { name });
export const tokens = (page: Page): Locator => page.getByRole('region', { name: 'Ваши токены' }).getByRole('listitem');
/** The only place where a token is shown. */
export const made = (page: Page): Locator => page.getByRole('region', { name: 'Новый токен' });

export const openApiTokens = (page: Page, wall: Wall): Promise<Person> => openAs(page, wall, '/settings/programs');

interface Wanted {
  name: string;
  scope?: string;
}

/** Fills the form and requests the code. */
export async function orderToken(page: Page, { name, scope: wanted = 'Только читать' }: Wanted): Promise<void> {
  await nameField(page).fill(name);
  await scope(page, wanted).check();
  await mainButton(page, 'Получить код').click();
  await expect(codeField(page)).toBeVisible();
}

/** Makes a token in the page; resolves to it. */
export async function makeToken(page: Page, mail: MailServer, { email }: Person, wanted: Wanted): Promise<string> {
  await orderToken(page, wanted);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(made(page)).toContainText(wanted.name);
  return (await made(page).getByRole('code').first().textContent())!;
}
