import { limits } from '#contract/limits.ts';
import { splitLinks } from '#contract/links.ts';
import { usernameKey } from '#contract/username.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';

const named = prepared<Record<`name${number}`, string>, { id: number }>((db, slot) =>
  db
    .selectFrom('users')
    .select('id')
    .where(
      'username_key',
      'in',
      Array.from({ length: limits.mentions }, (_, i) => slot(`name${i}`)),
    ),
);

/** The ids of the people that a text mentions, also of those who are blocked or gone: `notify` leaves them out. */
export async function mentionedIn({ db }: Tx, text: string): Promise<number[]> {
  const names = mentionsOf(text);
  if (names.length === 0) return [];
  const params: Record<`name${number}`, string> = {};
  for (let i = 0; i < limits.mentions; i += 1) params[`name${i}`] = names[i] ?? names[0]!;
  return (await named(db, params)).map(({ id }) => id);
}

/** The different names that a text mentions, as they are compared. */
function mentionsOf(text: string): string[] {
  if (!text.includes('@')) return [];
  const mentions = splitLinks(text).filter((part) => part.href !== undefined && part.text.startsWith('@'));
  return [...new Set(mentions.map((part) => usernameKey(part.text.slice(1))))];
}
