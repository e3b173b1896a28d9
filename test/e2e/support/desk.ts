import { expect, type Locator, type Page } from '@playwright/test';
import { newPerson, type Person, restoreSession } from './sign-in.ts';
import type { Wall } from './wall.ts';

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
  await page.goto(wall.url + path);
  await expectDesk(page);
}

const expectDesk = (page: Page): Promise<void> =>
  expect(page.getByRole('navigation', { name: 'Модерация' })).toBeVisible();

/** Posts of one author, each reported by two people. */
export async function seedReported(wall: Wall, texts: readonly string[]) {
  const author = await newPerson(wall);
  const reporters = [await newPerson(wall), await newPerson(wall)];
  const ids = await wall.seed.posts(texts.map((text) => ({ by: author.id, text, age: 3_600 })));
  for (const id of ids) {
    await wall.seed.report(id, reporters[0]!.id, 'spam');
    await wall.seed.report(id, reporters[1]!.id, 'abuse');
  }
  return { author, reporters, ids };
}

export const queue = (page: Page): Locator => page.getByRole('list', { name: 'Жалобы' });

export const reported = (page: Page, text: string): Locator =>
  queue(page).getByRole('article').filter({ hasText: text });

export const act = (page: Page, text: string, name: string): Locator =>
  reported(page, text).getByRole('button', { name, exact: true });

export const reason = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('dialog').getByRole('button', { name });

export const missing = (page: Page): Locator => page.getByRole('heading', { name: 'Страница не существует' });
