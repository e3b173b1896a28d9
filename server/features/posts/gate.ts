import { splitLinks } from '#contract/links.ts';
import { usernameKey } from '#contract/username.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Refusal } from '../../limits/refusal.ts';
import type { WallSettings } from '../wall-texts/wall-settings.ts';

/** Younger accounts may use fewer links and mentions in a post. */
const newcomerSeconds = 3 * 24 * 3_600;
const newcomerLinks = 1;
const newcomerMentions = 2;

export type Gate = WallSettings['gate'];

interface Author {
  role: string | null;
  created_at: number;
  /** Posts and replies that are on the wall. */
  shown: number;
}

const findAuthor = prepared<{ userId: number }, Author>((db, slot) =>
  db
    .selectFrom('users')
    .select((eb) => ['role', 'created_at', eb('posts_count', '+', eb.ref('replies_count')).as('shown')])
    .where('id', '=', slot('userId')),
);

interface Writing {
  userId: number;
  text: string;
  now: number;
}

/** Whether a text waits for a moderator, or why it is refused. People with a role are no newcomers. */
export async function passGate(
  { db }: Tx,
  { userId, text, now }: Writing,
  { posts }: Gate,
): Promise<'open' | 'waits' | Refusal<'INVALID_REQUEST'>> {
  const isCrowded = hasMany(text);
  // Almost all posts of almost all walls: no query.
  if (posts === 0 && !isCrowded) return 'open';
  const [author] = await findAuthor(db, { userId });
  if (author!.role !== null) return 'open';
  // A later time was recorded by a clock that was ahead.
  const isNew = Math.abs(now - author!.created_at) < newcomerSeconds;
  if (isCrowded && isNew) return { refused: 'INVALID_REQUEST', message: tooMany };
  return author!.shown < posts ? 'waits' : 'open';
}

const tooMany =
  'В первые три дня в записи может быть одна ссылка и два упоминания. Уберите лишние, остальное можно опубликовать отдельно.';

/** Whether a text has more links or mentions of people than a newcomer may use. */
function hasMany(text: string): boolean {
  const links = new Set<string>();
  const mentions = new Set<string>();
  for (const { text: part, href } of splitLinks(text)) {
    if (href === undefined || part.startsWith('#')) continue;
    if (part.startsWith('@')) mentions.add(usernameKey(part.slice(1)));
    else links.add(href);
  }
  return links.size > newcomerLinks || mentions.size > newcomerMentions;
}
