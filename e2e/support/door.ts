import { randomInt } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import type { MailServer } from '../../test/smtp.ts';
import { hydrated } from './app.ts';
import type { Wall } from './wall.ts';

export interface Person {
  id: number;
  name: string;
  email: string;
}

/** Somebody who has an account, and whom no other test knows. */
export async function newPerson({ seed }: Wall): Promise<Person> {
  const name = newName();
  const id = await seed.person(name);
  return { id, name, email: `${name}@example.org` };
}

/** An address that the wall does not know. */
export const newAddress = (): string => `${newName()}@example.org`;

const newName = (): string => `person_${randomInt(1e9)}`;

/** A code that is not this one. */
export const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

export const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Войти' });
export const emailField = (page: Page): Locator => page.getByRole('textbox', { name: 'Электронная почта' });
export const codeField = (page: Page): Locator => page.getByRole('textbox', { name: 'Код из письма' });
export const button = (page: Page, name: string | RegExp): Locator => dialog(page).getByRole('button', { name });
export const profileLink = (page: Page): Locator => page.getByRole('banner').locator('a[href="/settings"]');
export const signInButton = (page: Page): Locator =>
  page.getByRole('banner').getByRole('button', { name: 'Войти', exact: true });

export async function openDialog(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await hydrated(page);
  await signInButton(page).click();
  await expect(emailField(page)).toBeFocused();
}

/** From the sign-in dialog to where the code is awaited. */
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

/** As somebody who has signed in here before: with what that left in the browser. */
export async function arrive(page: Page, wall: Wall, { id, name }: Omit<Person, 'email'>): Promise<void> {
  const value = await wall.seed.session(id);
  await page.context().addCookies([{ name: 'session', value, url: wall.url, httpOnly: true, sameSite: 'Strict' }]);
  await page.addInitScript((arrived) => {
    // Once: later pages are left as the test leaves them.
    if (localStorage.getItem(arrived)) return;
    localStorage.setItem(arrived, 'yes');
    localStorage.setItem('client-token', 'this browser');
    localStorage.setItem('signed-in', new Date().toISOString());
  }, `${name} has arrived`);
  await page.goto(wall.url);
  await expect(profileLink(page)).toHaveText(name);
  await hydrated(page);
}

export async function signOut(page: Page): Promise<void> {
  await profileLink(page).click();
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(signInButton(page)).toBeVisible();
}

/** As the list of sessions will do it. */
export function closeOtherSessions(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const renewed = await fetch('/api/v1/sessions/current', {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientToken: 'of no matter' }),
    });
    const { accessToken } = await renewed.json();
    const closed = await fetch('/api/v1/sessions', {
      method: 'DELETE',
      headers: { authorization: `Bearer ${accessToken.token}` },
    });
    return closed.status;
  });
}
