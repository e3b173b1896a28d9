import { expect, type Locator, type Page } from '@playwright/test';
import type { MailServer } from '../../kit/smtp.ts';
import { newName, newPerson, type Person } from '../../kit/seed.ts';
import { wrong } from '../../kit/sign-in.ts';
import { hydrated, openPage } from './app.ts';
import type { Wall } from './wall.ts';

export { newPerson, type Person, wrong };

/** An address without an account. */
export const newAddress = (): string => `${newName()}@example.org`;

export const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Войти' });
export const emailField = (page: Page): Locator => page.getByRole('textbox', { name: 'Электронная почта' });
export const codeField = (page: Page): Locator => page.getByRole('textbox', { name: 'Код из письма' });
export const button = (page: Page, name: string | RegExp): Locator => dialog(page).getByRole('button', { name });
export const profileLink = (page: Page): Locator => page.getByRole('banner').locator('a[href="/settings"]');
export const signInButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: 'Войти', exact: true });

export async function openDialog(page: Page, address: string): Promise<void> {
  await openPage(page, address);
  await signInButton(page).click();
  await expect(emailField(page)).toBeFocused();
}

/** Submits an address in the sign-in dialog and waits for the code step. */
export async function askForCode(page: Page, email: string): Promise<void> {
  await emailField(page).fill(email);
  await button(page, 'Получить код').click();
  await expect(codeField(page)).toBeFocused();
}

export async function signIn(
  page: Page,
  mail: MailServer,
  address: string,
  { name, email }: Omit<Person, 'id'>,
): Promise<void> {
  await openDialog(page, address);
  await askForCode(page, email);
  await codeField(page).fill(await mail.codeTo(email));
  await expect(profileLink(page)).toHaveText(name);
  await hydrated(page);
}

/** Restores the browser state of a person who has signed in here before, and opens a page. */
export async function restoreSession(
  page: Page,
  wall: Wall,
  { id, name }: Omit<Person, 'email'>,
  path = '/',
): Promise<void> {
  const { cookie: value } = await wall.seed.session(id);
  await page.context().addCookies([{ name: 'session', value, url: wall.url, httpOnly: true, sameSite: 'Strict' }]);
  await page.addInitScript((arrived) => {
    // Firefox runs this in the empty document before the page too, which has no storage.
    if (!location.host) return;
    // Only on the first page: later pages keep the state that the test leaves.
    if (localStorage.getItem(arrived)) return;
    localStorage.setItem(arrived, 'yes');
    localStorage.setItem('client-token', 'Chrome Linux');
    localStorage.setItem('signed-in', new Date().toISOString());
  }, `${name} has arrived`);
  await page.goto(wall.url + path);
  await expect(profileLink(page)).toHaveText(name);
  await hydrated(page);
}

export async function signOut(page: Page): Promise<void> {
  await profileLink(page).click();
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(signInButton(page)).toBeVisible();
}
