import type { Locator, Page } from '@playwright/test';
import { restoreSession, newPerson, type Person } from './sign-in.ts';
import { cardOf } from './feed.ts';
import type { Wall } from './wall.ts';

/** Signs in a new person and opens a page. */
export async function signInNewPerson(page: Page, wall: Wall, path = '/'): Promise<Person> {
  const person = await newPerson(wall);
  await restoreSession(page, wall, person, path);
  return person;
}

export const textField = (page: Page): Locator => page.getByRole('dialog').getByRole('textbox');

/** A button of the open dialog. */
export const choice = (page: Page, name: string): Locator =>
  page.getByRole('dialog').getByRole('button', { name, exact: true });

export const toast = (page: Page, text: string): Locator => page.getByRole('status').filter({ hasText: text });

export const newPostButton = (page: Page): Locator => page.getByRole('button', { name: 'Новая запись' });

export async function publish(page: Page, text: string): Promise<void> {
  await newPostButton(page).click();
  await textField(page).fill(text);
  await choice(page, 'Опубликовать').click();
  await cardOf(page, text).waitFor();
}

export const menuButton = (page: Page, text: string): Locator =>
  cardOf(page, text).first().getByRole('button', { name: 'Действия с записью' });

/** Opens the menu of a post and selects an item. */
export async function choose(page: Page, text: string, item: string | RegExp): Promise<void> {
  await menuButton(page, text).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Records matching requests of the page from now on. */
export function callsOf(page: Page, method: string, path: RegExp): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === method && path.test(pathname)) calls.push(pathname);
  });
  return calls;
}

/** The server receives the next such request, but its response is lost. */
export async function dropNextResponse(page: Page, method: string, path: RegExp): Promise<void> {
  let lost = false;
  await page.route(path, async (route) => {
    if (lost || route.request().method() !== method) return route.fallback();
    lost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
}
