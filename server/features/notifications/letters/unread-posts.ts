import { type Kysely, sql } from 'kysely';
import type { NotificationKind } from '#contract/notification-words.ts';
import type { Post } from '#contract/posts.ts';
import type { Schema } from '../../../db/schema.ts';
import { hasNotMuted, isNotBlocked, isNotDeleted } from '../../../db/visibility.ts';
import { selectPosts, toPost } from '../../posts/post-rows.ts';
import { answersTo, untold } from '../digest-store.ts';

export interface UnreadPost {
  post: Post;
  kind: NotificationKind;
  /** The number of the notification. */
  no: number;
}

const asPosts = (
  rows: ReadonlyArray<{ id: number; kind: NotificationKind; no: number }>,
  posts: ReadonlyMap<number, Post>,
): UnreadPost[] =>
  rows.flatMap(({ id, kind, no }) => {
    const post = posts.get(id);
    return post ? [{ post, kind, no }] : [];
  });

/** The newest of these posts, with what they answer. */
export async function unreadPosts(
  db: Kysely<Schema>,
  listing: { userId: number; after: number; limit: number },
): Promise<UnreadPost[]> {
  const rows = await untold(db, listing);
  return asPosts(rows, await postsOf(db, rows));
}

/** The posts of the unread notifications about one discussion that letters about answers tell of. */
export async function unreadAnswers(
  db: Kysely<Schema>,
  { userId, rootId, after, limit }: { userId: number; rootId: number; after: number; limit: number },
): Promise<UnreadPost[]> {
  const rows = await answersTo(db, userId, after)
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.id', 'n.kind', 'n.no'])
    .where('n.root_post_id', '=', rootId)
    .where(isNotDeleted('u'))
    .where(isNotBlocked('u'))
    .orderBy('n.no', 'desc')
    .limit(limit)
    .execute();
  return asPosts(rows, await postsOf(db, rows));
}

async function postsOf(db: Kysely<Schema>, rows: ReadonlyArray<{ id: number }>): Promise<Map<number, Post>> {
  const ids = rows.map(({ id }) => id);
  const found = ids.length === 0 ? [] : await selectPosts(db).where('p.id', 'in', ids).execute();
  return new Map(found.map((row) => [row.id, toPost(row)]));
}

/** The text of a root post. Undefined if it is gone, or a letter to the person leaves it out. */
export async function textOfRoot(db: Kysely<Schema>, userId: number, rootId: number): Promise<string | undefined> {
  const root = await db
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select('p.text')
    .where('p.id', '=', rootId)
    .where(isNotDeleted('u'))
    .where(isNotBlocked('u'))
    .where(hasNotMuted(userId, sql.ref('u.id')))
    .executeTakeFirst();
  return root?.text;
}

/** Those of these people whose posts a letter to a person leaves out: muted or blocked people. */
export async function leftOut(db: Kysely<Schema>, userId: number, people: readonly string[]): Promise<Set<string>> {
  if (people.length === 0) return new Set();
  const rows = await db
    .selectFrom('users as u')
    .select('u.id')
    .where('u.id', 'in', people.map(Number))
    .where((eb) => eb.or([eb.not(isNotBlocked('u')), eb.not(hasNotMuted(userId, sql.ref('u.id')))]))
    .execute();
  return new Set(rows.map(({ id }) => String(id)));
}
