import assert from 'node:assert/strict';
import type { Seed } from '../seed.ts';
import type { Screen } from './open-screen.ts';
import { textOf } from './queries.ts';

export const searchPath = (q: string): string => `/search?${new URLSearchParams({ q }).toString()}`;

export const searchField = (screen: Screen): HTMLInputElement =>
  screen.getByRole<HTMLInputElement>('searchbox', { name: 'Поиск по записям' });

/** Replaces the query and searches. */
export function search(screen: Screen, query: string): void {
  screen.fill(searchField(screen), query);
  screen.press('Enter');
}

/** The texts that are marked as found. */
export const matches = (screen: Screen): string[] => [...screen.getByRole('main').querySelectorAll('mark')].map(textOf);

export const saysInMain = (screen: Screen, text: string): Promise<void> =>
  screen.until(() => assert.ok(textOf(screen.getByRole('main')).includes(text), text));

/** Posts of one author that contain «пекарня»; «Пекарня 1» is the newest. */
export async function seedBakeries({ seed }: { seed: Seed }, count: number): Promise<number> {
  const by = await seed.person('galina_m');
  const posts = Array.from({ length: count }, (_, index) => ({ by, text: `Пекарня ${count - index}`, age: 3_600 }));
  await seed.posts([{ by, text: 'О другом' }, ...posts]);
  return by;
}
