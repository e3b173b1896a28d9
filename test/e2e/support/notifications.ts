import { expect, type Locator, type Page } from '@playwright/test';
import { openPage } from './app.ts';
import type { Person } from './sign-in.ts';
import { articles } from './feed.ts';
import type { Wall } from './wall.ts';
import { signInNewPerson } from './writing.ts';

export const bell = (page: Page): Locator => page.getByRole('banner').getByRole('link', { name: /^Ответы мне/ });

export const pill = (page: Page): Locator => page.getByRole('button', { name: /^Показать новые: \d/ });

export const marked = (page: Page): Locator => articles(page).filter({ hasText: 'Новый ответ' });

/** The bell’s accessible name and its visible number. */
export async function expectUnread(page: Page, count: number): Promise<void> {
  const name = count > 0 ? `Ответы мне, непрочитанных: ${count}` : 'Ответы мне';
  await expect(bell(page)).toHaveAccessibleName(name);
  await expect(bell(page)).toHaveText(count > 99 ? '99+' : count > 0 ? String(count) : '');
}

export async function openNotifications(page: Page, wall: Wall): Promise<void> {
  await openPage(page, `${wall.url}/notifications`);
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
}

/** Looks at the notifications until the server has stored them as read. */
export async function readNotifications(page: Page, wall: Wall): Promise<void> {
  const response = page.waitForResponse('**/api/v1/users/current/notifications/read');
  await openNotifications(page, wall);
  expect((await response).status()).toBe(204);
  await expectUnread(page, 0);
}

/** Signs in a person with a post and returns how others reply to it. */
export async function signInWithPost(page: Page, wall: Wall) {
  const me: Person = await signInNewPerson(page, wall);
  const boris = await wall.seed.person('boris_petrov');
  const [post] = await wall.seed.posts([{ by: me.id, text: 'Кто идёт на каток?' }]);
  const reply = (...texts: string[]) =>
    wall.seed.replies(
      post!,
      texts.map((text) => ({ by: boris, text })),
    );
  return { me, boris, post: post!, reply };
}
