import { expect, type Locator, type Page } from '@playwright/test';
import { newPerson, type Person, seedReported } from '../../kit/seed.ts';
import { openPage } from './app.ts';
import { restoreSession } from './sign-in.ts';
import type { Wall } from './wall.ts';

export { seedReported };

export const deskPaths = {
  queue: '/moderation',
  people: '/moderation/people',
  blocked: '/moderation/blocked',
  invites: '/moderation/invites',
  journal: '/moderation/journal',
  pin: '/moderation/pin',
};

/** Signs in a new moderator and opens a page of the desk. */
export async function openDeskAs(page: Page, wall: Wall, path = deskPaths.queue): Promise<Person> {
  const person = await newPerson(wall);
  await wall.seed.appoint(person);
  await restoreSession(page, wall, person, path);
  await expectDesk(page);
  return person;
}

export async function openDesk(page: Page, wall: Wall, path = deskPaths.queue): Promise<void> {
  await openPage(page, wall.url + path);
  await expectDesk(page);
}

const expectDesk = (page: Page): Promise<void> =>
  expect(page.getByRole('navigation', { name: 'Модерация' })).toBeVisible();

export const queue = (page: Page): Locator => page.getByRole('list', { name: 'Жалобы' });

export const reported = (page: Page, text: string): Locator =>
  queue(page).getByRole('article').filter({ hasText: text });

/** A link that opens its form in a dialog, which it does from hydration on. */
export const act = (page: Page, text: string, name: string): Locator =>
  reported(page, text).getByRole('link', { name, exact: true }).and(page.locator('[aria-haspopup=dialog]'));

export const reason = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('dialog').getByRole('button', { name });
