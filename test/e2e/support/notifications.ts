import { expect, type Locator, type Page } from '@playwright/test';
import { openPage } from './app.ts';
import type { Person } from './sign-in.ts';
import { articles } from './feed.ts';
import type { Wall } from './wall.ts';
import { signInNewPerson } from './writing.ts';

/** The link of the rail or, on a phone, of the header. */
export const bell = (page: Page): Locator => page.locator('nav, header').getByRole('link', { name: /^Уведомления/ });

export const pill = (page: Page): Locator => page.getByRole('button', { name: /^Показать новые: \d/ });

export const marked = (page: Page): Locator => articles(page).filter({ hasText: 'Новый ответ' });

/** The heads of the groups. */
export const heads = (page: Page): Locator => page.getByRole('feed').getByRole('heading');

/** The link’s accessible name and its visible number. */
export async function expectUnread(page: Page, count: number): Promise<void> {
  const name = count > 0 ? `Уведомления, непрочитанных: ${count}` : 'Уведомления';
  await expect(bell(page)).toHaveAccessibleName(name);
  const shown = bell(page).locator('[data-count]');
  if (count > 0) await expect(shown).toHaveAttribute('data-count', count > 99 ? '99+' : String(count));
  else await expect(shown).toHaveCount(0);
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
