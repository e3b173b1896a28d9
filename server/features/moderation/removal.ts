import { isIn, states } from '../../db/all-posts.ts';
import type { Database, Tx } from '../../db/database.ts';
import { changeState, restorePost } from '../posts/post-states.ts';
import { lockPost, type StoredPost } from '../posts/post-writes.ts';
import { claimSettled, settleReports } from '../reports/report-store.ts';
import { lockPerson } from './moderation-store.ts';

export interface Removal {
  now: number;
  /** Shown to the author. */
  reason: string;
  /** Whether the post is removed because its author is blocked. */
  withBlock: boolean;
}

/** Removes a post. The author can still read it, and `restoreRemoved` restores it. */
export const removePost = (tx: Tx, post: StoredPost, { now, ...removal }: Removal): Promise<void> =>
  changeState(tx, post, { to: 'removed', ...removal }, now);

/** Restores a removed post, but no post that its author has deleted. */
export function restoreRemoved(tx: Tx, id: number, now: number): ReturnType<typeof restorePost> {
  return restorePost(tx, id, now, (post) => post.state === states.removed);
}

/** Posts per transaction, so that other writers do not wait long. */
const batch = 50;

/** Called in each transaction with the ids of the posts it has removed or restored; resolves to the id of the journal entry. */
type RecordPosts = (tx: Tx, ids: number[]) => Promise<number>;

/**
 * Removes all posts of a blocked person and resolves to their number. It can be run again after an interruption, and stops
 * when the block has ended meanwhile.
 */
export async function removeAllPostsOf(
  db: Database,
  { userId, reason, now }: { userId: number; reason: string; now: number },
  record: RecordPosts,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const posts = await db.read.selectFrom('posts').select('id').where('user_id', '=', userId).limit(batch).execute();
    if (posts.length === 0) return removed;
    const ids = await db.tx(async (tx) => {
      if (!(await isBlocked(tx, userId))) return undefined;
      const done: number[] = [];
      for (const { id } of posts) {
        // The author or another process may have deleted it since.
        const post = await lockPost(tx, id);
        if (!post) continue;
        await removePost(tx, post, { now, reason, withBlock: true });
        await settleReports(tx, id, now);
        done.push(id);
      }
      if (done.length > 0) await claimSettled(tx, done, await record(tx, done));
      return done;
    });
    if (!ids) return removed;
    removed += ids.length;
  }
}

/**
 * Restores the posts that were removed because their author was blocked, and resolves to their number. It stops when the
 * person has been blocked again meanwhile.
 */
export async function restoreAllPostsOf(
  db: Database,
  { userId, now }: { userId: number; now: number },
  record: RecordPosts,
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
    const ids = await db.tx(async (tx) => {
      if (await isBlocked(tx, userId)) return undefined;
      const done: number[] = [];
      for (const { id } of posts) {
        const outcome = await restoreRemoved(tx, id, now);
        if (outcome === 'author gone') return undefined;
        if (outcome === 'restored') done.push(id);
      }
      if (done.length > 0) await record(tx, done);
      return done;
    });
    if (!ids) return restored;
    restored += ids.length;
  }
}

const isBlocked = async (tx: Tx, userId: number): Promise<boolean> =>
  ((await lockPerson(tx, userId))?.blocked_at ?? null) !== null;

/** Whether the end of the person's block can restore posts. */
export async function hasRemovedWithBlock({ db }: Tx, userId: number): Promise<boolean> {
  const post = await db
    .selectFrom('removed_posts')
    .select('id')
    .where('user_id', '=', userId)
    .where('with_block', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return post !== undefined;
}

/** Detaches removed posts from the block, so that a later end of the block does not restore them. */
export async function leaveRemoved({ db }: Tx, userId: number): Promise<void> {
  await db
    .updateTable('all_posts')
    .set({ with_block: 0 })
    .where(isIn('removed'))
    .where('user_id', '=', userId)
    .where('with_block', '=', 1)
    .execute();
}
