import { type Kysely, sql } from 'kysely';
import type { NotificationKind } from '#contract/notification-words.ts';
import type { Post } from '#contract/posts.ts';
import type { Schema } from '../../../db/schema.ts';
import { hasNotMuted, isNotBlocked, isNotDeleted } from '../../../db/visibility.ts';
import { selectPosts, toPost } from '../../posts/post-rows.ts';
import { hidesOf } from '../../words/word-store.ts';
import { answersTo, untold } from '../digest-store.ts';
import type { IsLeftOut } from './letter-posts.ts';

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

/** The newest of these posts, with what they answer, without those that have a hidden word. */
export async function unreadPosts(
  db: Kysely<Schema>,
  listing: { userId: number; after: number; limit: number },
): Promise<UnreadPost[]> {
  const rows = await untold(db, listing);
  return asPosts(rows, await postsOf(db, listing.userId, rows));
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
  return asPosts(rows, await postsOf(db, userId, rows));
}

async function postsOf(
  db: Kysely<Schema>,
  userId: number,
  rows: ReadonlyArray<{ id: number }>,
): Promise<Map<number, Post>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const posts = (await selectPosts(db).where('p.id', 'in', ids).execute()).map(toPost);
  const hides = await hidesOf(db, userId);
  return new Map(posts.filter((post) => !hides(post)).map((post) => [Number(post.id), post]));
}

/** The text of a root post. Undefined if it is gone, or a letter to the person leaves it out. */
export async function textOfRoot(db: Kysely<Schema>, userId: number, rootId: number): Promise<string | undefined> {
  const root = await db
    .selectFrom('posts as p')
    .innerJoin('users as u', 'u.id', 'p.user_id')
    .select(['p.text', 'u.id'])
    .where('p.id', '=', rootId)
    .where(isNotDeleted('u'))
    .where(isNotBlocked('u'))
    .where(hasNotMuted(userId, sql.ref('u.id')))
    .executeTakeFirst();
  const isShown = root && !(await hidesOf(db, userId))({ ...root, owner: { id: String(root.id) } });
  return isShown ? root.text : undefined;
}

/** Which of these posts a letter to a person leaves out: those of muted or blocked people, and those with a hidden word. */
export async function leftOut(
  db: Kysely<Schema>,
  userId: number,
  posts: ReadonlyArray<Pick<Post, 'text' | 'owner'>>,
): Promise<IsLeftOut> {
  if (posts.length === 0) return () => false;
  const people = new Set(posts.map(({ owner }) => Number(owner.id)));
  const rows = await db
    .selectFrom('users as u')
    .select('u.id')
    .where('u.id', 'in', [...people])
    .where((eb) => eb.or([eb.not(isNotBlocked('u')), eb.not(hasNotMuted(userId, sql.ref('u.id')))]))
    .execute();
  const ids = new Set(rows.map(({ id }) => String(id)));
  const hides = await hidesOf(db, userId);
  return (post) => ids.has(post.owner.id) || hides(post);
}
