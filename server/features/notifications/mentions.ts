import { limits } from '#contract/limits.ts';
import { splitLinks } from '#contract/links.ts';
import { usernameKey } from '#contract/username.ts';
import type { Tx } from '../../db/database.ts';
import { preparedAmong } from '../../db/prepared.ts';

const named = preparedAmong<string, { id: number }>([limits.mentions], (db, names) =>
  db.selectFrom('users').select('id').where('username_key', 'in', names),
);

/** The ids of the people that a text mentions, also of those who are blocked or gone: `notify` leaves them out. */
export async function mentionedIn({ db }: Tx, text: string): Promise<number[]> {
  return (await named(db, mentionsOf(text).slice(0, limits.mentions))).map(({ id }) => id);
}

/** The different names that a text mentions, as they are compared. */
function mentionsOf(text: string): string[] {
  if (!text.includes('@')) return [];
  const mentions = splitLinks(text).filter((part) => part.href !== undefined && part.text.startsWith('@'));
  return [...new Set(mentions.map((part) => usernameKey(part.text.slice(1))))];
}
