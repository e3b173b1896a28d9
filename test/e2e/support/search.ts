import type { Locator, Page } from '@playwright/test';
import { openPage } from './app.ts';
import type { Wall } from './wall.ts';

export const searchField = (page: Page): Locator => page.getByRole('searchbox', { name: 'Поиск по записям' });
export const searchLink = (page: Page): Locator =>
  page.getByRole('navigation', { name: 'Разделы' }).getByRole('link', { name: 'Поиск' });

export const searchPath = (q: string): string => `/search?${new URLSearchParams({ q }).toString()}`;

export async function search(page: Page, wall: Wall, q: string): Promise<void> {
  await openPage(page, wall.url + searchPath(q));
}

/** Posts of one author that contain «пекарня»; «Пекарня 1» is the newest. */
export async function seedBakeries({ seed }: Wall, count: number): Promise<number> {
  const by = await seed.person('galina_m');
  const posts = Array.from({ length: count }, (_, index) => ({ by, text: `Пекарня ${count - index}`, age: 3_600 }));
  await seed.posts([{ by, text: 'О другом' }, ...posts]);
  return by;
}
