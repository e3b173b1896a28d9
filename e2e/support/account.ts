import { expect, type Locator, type Page } from '@playwright/test';
import { arrive, newPerson, type Person } from './door.ts';
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

/** Somebody new who has written these posts, signed in, at one of the pages of the settings. */
export async function openAs(page: Page, wall: Wall, path: string, texts: string[] = []): Promise<Person> {
  const person = await newPerson(wall);
  await wall.seed.posts(texts.map((text) => ({ by: person.id, text })));
  await arrive(page, wall, person);
  await page.goto(wall.url + path);
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toBeVisible();
  return person;
}
