import type { Locator, Page } from '@playwright/test';
import { arrive, newPerson, type Person } from './door.ts';
import { cardOf } from './feed.ts';
import type { Wall } from './wall.ts';

/** Somebody new, signed in at the feed. */
export async function enter(page: Page, wall: Wall): Promise<Person> {
  const person = await newPerson(wall);
  await arrive(page, wall, person);
  return person;
}

export const textField = (page: Page): Locator => page.getByRole('dialog').getByRole('textbox');

/** A button of the dialog that is open. */
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

/** Opens a post's menu and takes something from it. */
export async function choose(page: Page, text: string, item: string | RegExp): Promise<void> {
  await menuButton(page, text).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** What the page sends from now on, by method and path. */
export function callsOf(page: Page, method: string, path: RegExp): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === method && path.test(pathname)) calls.push(pathname);
  });
  return calls;
}

/** The next such call reaches the server, but its answer is lost on the way back. */
export async function loseNextAnswer(page: Page, method: string, path: RegExp): Promise<void> {
  let lost = false;
  await page.route(path, async (route) => {
    if (lost || route.request().method() !== method) return route.fallback();
    lost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
}
