import { splitLinks } from '#contract/links.ts';
import type { Kysely } from 'kysely';
import { usernameKey } from '#contract/username.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import type { Refusal } from '../../limits/refusal.ts';
import type { WallSettings } from '../wall-texts/wall-settings.ts';

/** An account younger than this may use only this many links and mentions in a post. */
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

/** Notes posts that have waited at the gate. Their texts can no longer be edited. */
export async function noteGated({ db }: Tx, ids: readonly number[]): Promise<void> {
  await db
    .insertInto('gated_posts')
    .values(ids.map((post_id) => ({ post_id })))
    .execute();
}

export async function isGated({ db }: Tx, id: number): Promise<boolean> {
  const gated = await db.selectFrom('gated_posts').select('post_id').where('post_id', '=', id).executeTakeFirst();
  return gated !== undefined;
}

/** Whether the post has waited at the gate and is by this author. */
export const isOwnGated = async (db: Kysely<Schema>, id: number, userId: number): Promise<boolean> =>
  (await ownGated(db, { id, userId })).length > 0;

const ownGated = prepared<{ id: number; userId: number }, { id: number }>((db, slot) =>
  db
    .selectFrom('gated_posts as g')
    .innerJoin('posts as p', 'p.id', 'g.post_id')
    .select('p.id')
    .where('g.post_id', '=', slot('id'))
    .where('p.user_id', '=', slot('userId')),
);

/** Whether the author is a newcomer. A creation time further ahead was recorded by a clock that was ahead, and does not count. */
const isNew = ({ role, created_at: createdAt }: Pick<Author, 'role' | 'created_at'>, now: number): boolean =>
  role === null && Math.abs(now - createdAt) < newcomerSeconds;

/** Whether a text waits for a moderator, or why it is refused. People with a role are no newcomers. */
export async function passGate(
  { db }: Tx,
  { userId, text, now }: Writing,
  { posts }: Gate,
): Promise<'open' | 'waits' | Refusal<'INVALID_REQUEST'>> {
  const isCrowded = hasMany(text);
  // Almost all posts of almost all walls are let through here, without a query.
  if (posts === 0 && !isCrowded) return 'open';
  const [author] = await findAuthor(db, { userId });
  if (author!.role !== null) return 'open';
  if (isCrowded && isNew(author!, now)) {
    return refusal('в записи', 'Уберите лишние, остальное можно опубликовать отдельно.');
  }
  return author!.shown < posts ? 'waits' : 'open';
}

/** Refuses a newcomer's profile with too many links and mentions. `lines` are the changes; unchanged lines count too. */
export async function refusalOfProfile(
  { db }: Tx,
  {
    userId,
    lines,
    now,
  }: { userId: number; lines: Partial<Record<'display_name' | 'about', string | null>>; now: number },
): Promise<Refusal<'INVALID_REQUEST'> | undefined> {
  const {
    display_name: name,
    about,
    ...author
  } = await db
    .selectFrom('users')
    .select(['role', 'created_at', 'display_name', 'about'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const text = Object.values({ display_name: name, about, ...lines }).join('\n');
  return isNew(author, now) && hasMany(text) ? refusal('в имени и «О себе»', 'Уберите лишние.') : undefined;
}

const refusal = (where: string, advice: string): Refusal<'INVALID_REQUEST'> => ({
  refused: 'INVALID_REQUEST',
  message: `В первые три дня ${where} может быть одна ссылка и два упоминания. ${advice}`,
});

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
