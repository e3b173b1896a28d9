import { expect, type Locator, type Page } from '@playwright/test';
import { restoreSession, newPerson, type Person } from './sign-in.ts';
import type { Wall } from './wall.ts';

export const paths = {
  settings: '/settings',
  email: '/settings/account/email',
  username: '/settings/account/username',
  deletion: '/settings/account/deletion',
};

export const newEmailField = (page: Page): Locator => page.getByRole('textbox', { name: 'Новый адрес' });
export const usernameField = (page: Page): Locator => page.getByRole('textbox', { name: 'Имя пользователя' });
export const mainButton = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('main').getByRole('button', { name });
export const problem = (page: Page): Locator => page.getByRole('main').getByRole('alert').filter({ hasText: /./ });
export const row = (page: Page, name: string): Locator => page.getByRole('main').getByRole('link', { name });

/** Signs in a new person with these posts and opens a page of the settings. */
export async function openAs(page: Page, wall: Wall, path: string, texts: string[] = []): Promise<Person> {
  const person = await newPerson(wall);
  await wall.seed.posts(texts.map((text) => ({ by: person.id, text })));
  await restoreSession(page, wall, person, path);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toBeVisible();
  return person;
}
