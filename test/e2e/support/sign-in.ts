import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
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
export const codeField = (page: Page): Locator => page.getByRole('textbox', { name: /^Код( из письма)?$/ });
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

/** Gives the browser the cookies of a new session; resolves to the flag that scripts read. */
export async function enter(context: BrowserContext, { seed, url }: Wall, id: number): Promise<string> {
  const { cookie, flag } = await seed.session(id);
  await context.addCookies([
    { name: 'session', value: cookie, url, httpOnly: true, sameSite: 'Strict' },
    { name: 'signed-in', value: flag, url, sameSite: 'Strict' },
  ]);
  return flag;
}

/** Calls the API from another device of a person. */
export async function callAs(
  { seed, url }: Wall,
  id: number,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const { token } = await seed.session(id);
  const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(response.ok).toBe(true);
}

/** Ends the sessions of a person from another device. */
export const endSessions = (wall: Wall, id: number): Promise<void> => callAs(wall, id, 'DELETE', '/sessions');

/** Removes cookies, all or those of a name, while no page is open: an open one may ask the server and learn that its session is gone. */
export async function removeCookies(page: Page, named?: { name: string }): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies(named);
}

/** Restores the browser state of a person who has signed in here before, and opens a page. */
export async function restoreSession(
  page: Page,
  wall: Wall,
  { id, name }: Omit<Person, 'email'>,
  path = '/',
): Promise<void> {
  await enter(page.context(), wall, id);
  await page.addInitScript((arrived) => {
    // Firefox runs this in the empty document before the page too, which has no storage.
    if (!location.host) return;
    // Only on the first page: later pages keep the state that the test leaves.
    if (localStorage.getItem(arrived)) return;
    localStorage.setItem(arrived, 'yes');
    localStorage.setItem('client-token', 'Chrome Linux');
  }, `${name} has arrived`);
  await openPage(page, wall.url + path);
  await expect(profileLink(page)).toHaveText(name);
}

export async function signOut(page: Page): Promise<void> {
  await profileLink(page).click();
  await page.getByRole('button', { name: 'Выйти' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(signInButton(page)).toBeVisible();
}
