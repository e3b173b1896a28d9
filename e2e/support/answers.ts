import { expect, type Locator, type Page } from '@playwright/test';
import { hydrated } from './app.ts';
import type { Person } from './door.ts';
import { articles } from './feed.ts';
import type { Wall } from './wall.ts';
import { enter } from './writing.ts';

export const bell = (page: Page): Locator => page.getByRole('banner').getByRole('link', { name: /^Ответы мне/ });

export const pill = (page: Page): Locator => page.getByRole('button', { name: /^Показать новые: \d/ });

export const marked = (page: Page): Locator => articles(page).filter({ hasText: 'Новый ответ' });

/** What the bell says, by name and by its figure. */
export async function expectUnread(page: Page, count: number): Promise<void> {
  const name = count > 0 ? `Ответы мне, непрочитанных: ${count}` : 'Ответы мне';
  await expect(bell(page)).toHaveAccessibleName(name);
  await expect(bell(page)).toHaveText(count > 99 ? '99+' : count > 0 ? String(count) : '');
}

export async function openAnswers(page: Page, wall: Wall): Promise<void> {
  await page.goto(`${wall.url}/answers`);
  await hydrated(page);
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
}

/** Looks at the answers until the server knows that they are read. */
export async function readAnswers(page: Page, wall: Wall): Promise<void> {
  const told = page.waitForResponse('**/api/v1/users/current/answers/read');
  await openAnswers(page, wall);
  expect((await told).status()).toBe(204);
  await expectUnread(page, 0);
}

/** Somebody signed in at the feed who has written a post, and how others answer it. */
export async function enterWithPost(page: Page, wall: Wall) {
  const me: Person = await enter(page, wall);
  const boris = await wall.seed.person('boris_petrov');
  const [post] = await wall.seed.posts([{ by: me.id, text: 'Кто идёт на каток?' }]);
  const answer = (...texts: string[]) =>
    wall.seed.replies(
      post!,
      texts.map((text) => ({ by: boris, text })),
    );
  return { me, boris, post: post!, answer };
}
