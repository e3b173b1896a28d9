import type { Selectable } from 'kysely';
import type { Database, Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { recordChange, recordReading } from '../../live/change-log.ts';
import { keepNotifications, restoreNotifications } from '../notifications/store.ts';
import { countRootPost } from '../posts/feed-counts.ts';
import { moveLikes } from '../posts/move-likes.ts';
import { storedColumns } from '../posts/rows.ts';
import { type ChangedPost, rejoinThread } from '../posts/thread-counts.ts';
import {
  countUsersPosts,
  countUsersReplies,
  deletePost,
  type LockedPost,
  lockPost,
  touchThread,
} from '../posts/writes.ts';
import { changeIndex } from '../../search/post-words.ts';
import { settleReports } from '../reports/store.ts';

type RemovedPost = Selectable<Schema['removed_posts']>;

export interface Removal {
  now: number;
  /** Shown to the author. */
  reason: string;
  /** Whether the post is removed because its author is blocked. */
  withBlock: boolean;
}

/** Moves a post to `removed_posts` and deletes it as its author would. Its author and `restorePost` can still read it. */
export async function removePost(tx: Tx, post: LockedPost, { now, reason, withBlock }: Removal): Promise<void> {
  const { id } = post;
  const stored = await tx.db.selectFrom('posts').select(storedColumns).where('id', '=', id).executeTakeFirstOrThrow();
  await tx.db
    .insertInto('removed_posts')
    .values({ ...stored, removed_at: now, reason, with_block: withBlock ? 1 : 0 })
    .execute();
  await keepNotifications(tx, id);
  await deletePost(tx, post, now, 'removed');
}

/** Puts a removed post back, with the likes of people who still have an account. */
export async function restorePost(
  tx: Tx,
  id: number,
  now: number,
): Promise<'restored' | 'not removed' | 'author gone'> {
  const post = await lockRemovedPost(tx, id);
  if (!post) return 'not removed';
  if (!(await hasAuthor(tx, post))) return 'author gone';
  const { counts, above } = await rejoinThread(tx, post);
  await tx.db
    .insertInto('posts')
    .values({ ...storedOf(post), ...counts })
    .execute();
  await changeIndex(tx, null, post);
  await moveLikes(tx, id, 'shown');
  await tx.db.deleteFrom('removed_posts').where('id', '=', id).execute();
  if (post.replied_post_id === null) await countRoot(tx, post);
  else await countReply(tx, post, above, now);
  for (const userId of await restoreNotifications(tx, id)) await recordReading(tx, userId, now);
  tx.touch(`post:${id}`);
  return 'restored';
}

/**
 * Locks a removed post and, if that is removed as well, the post it answers: of two that are restored concurrently the
 * later one must see the other.
 */
async function lockRemovedPost({ db }: Tx, id: number): Promise<RemovedPost | undefined> {
  const lock = (removedId: number) =>
    db
      .updateTable('removed_posts')
      .set((eb) => ({ reason: eb.ref('reason') }))
      .where('id', '=', removedId)
      .returningAll()
      .executeTakeFirst();
  const post = await lock(id);
  if (post?.replied_post_id) await lock(post.replied_post_id);
  return post;
}

async function hasAuthor({ db }: Tx, { user_id: userId }: RemovedPost): Promise<boolean> {
  const author = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(isNotDeleted('users'))
    .executeTakeFirst();
  return author !== undefined;
}

function storedOf(post: RemovedPost): Pick<RemovedPost, (typeof storedColumns)[number]> {
  const entries = storedColumns.map((column) => [column, post[column]]);
  return Object.fromEntries(entries) as Pick<RemovedPost, (typeof storedColumns)[number]>;
}

async function countRoot(tx: Tx, { id, user_id: userId }: RemovedPost): Promise<void> {
  await countUsersPosts(tx.db, { userId, change: 1 });
  await countRootPost(tx, id, 1);
  tx.touch('feed', `posts-of:${userId}`);
}

async function countReply(tx: Tx, post: RemovedPost, above: readonly ChangedPost[], now: number): Promise<void> {
  const { user_id: userId, replied_post_id: repliedTo, parent_post_id: rootId } = post;
  await countUsersReplies(tx.db, { userId, change: 1 });
  // Recorded as 'counted', not 'new': open pages must not announce a post that is not new.
  for (const { id, user_id: ownerId, replied_post_id: answered } of above) {
    await recordChange(tx, { kind: 'counted', postId: id, ownerId, repliedTo: answered, rootId, now });
  }
  touchThread(tx, { userId, repliedTo: repliedTo!, rootId: rootId! });
}

/** Posts per transaction, so that other writers do not wait long. */
const batch = 50;

/** Runs in each transaction with the ids it has removed or restored. */
type Log = (tx: Tx, ids: number[]) => Promise<void>;

/** Removes all posts of a blocked person. Started again after an interruption, it continues. Resolves to their number. */
export async function removeAllPostsOf(
  db: Database,
  { userId, reason, now }: { userId: number; reason: string; now: number },
  log: Log,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const posts = await db.read.selectFrom('posts').select('id').where('user_id', '=', userId).limit(batch).execute();
    if (posts.length === 0) return removed;
    removed += await db.tx(async (tx) => {
      const ids: number[] = [];
      for (const { id } of posts) {
        // The author or another process may have deleted it since.
        const post = await lockPost(tx, id);
        if (!post) continue;
        await removePost(tx, post, { now, reason, withBlock: true });
        await settleReports(tx, id, now);
        ids.push(id);
      }
      if (ids.length > 0) await log(tx, ids);
      return ids.length;
    });
  }
}

/** Restores the posts that were removed because their author was blocked. Resolves to their number. */
export async function restoreAllPostsOf(
  db: Database,
  { userId, now }: { userId: number; now: number },
  log: Log,
): Promise<number> {
  let restored = 0;
  for (;;) {
    const posts = await db.read
      .selectFrom('removed_posts')
      .select('id')
      .where('user_id', '=', userId)
      .where('with_block', '=', 1)
      .limit(batch)
      .execute();
    if (posts.length === 0) return restored;
    const { ids, isGone } = await db.tx(async (tx) => {
      const done: number[] = [];
      for (const { id } of posts) {
        const outcome = await restorePost(tx, id, now);
        if (outcome === 'author gone') return { ids: [], isGone: true };
        if (outcome === 'restored') done.push(id);
      }
      if (done.length > 0) await log(tx, done);
      return { ids: done, isGone: false };
    });
    restored += ids.length;
    if (isGone) return restored;
  }
}

/** Detaches removed posts from the block, so that a later end of the block does not restore them. */
export async function keepRemoved({ db }: Tx, userId: number): Promise<void> {
  await db
    .updateTable('removed_posts')
    .set({ with_block: 0 })
    .where('user_id', '=', userId)
    .where('with_block', '=', 1)
    .execute();
}
