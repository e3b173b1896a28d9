import type { Database, Tx } from '../../db/database.ts';
import { hidePost, restorePost } from '../posts/hide-post.ts';
import { type LockedPost, lockPost } from '../posts/writes.ts';
import { claimSettled, settleReports } from '../reports/store.ts';

export interface Removal {
  now: number;
  /** Shown to the author. */
  reason: string;
  /** Whether the post is removed because its author is blocked. */
  withBlock: boolean;
}

/** Takes a post off the wall. Its author and `restoreRemoved` can still read it. */
export async function removePost(tx: Tx, post: LockedPost, removal: Removal): Promise<void> {
  await hidePost(tx, post, { ...removal, by: 'operator' });
}

/** Puts a removed post back. What its author has deleted stays deleted. */
export function restoreRemoved(tx: Tx, id: number, now: number): ReturnType<typeof restorePost> {
  return restorePost(tx, id, now, (post) => post.by_author === 0);
}

/** Posts per transaction, so that other writers do not wait long. */
const batch = 50;

/** Runs in each transaction with the ids it has removed or restored; resolves to the entry in the journal. */
type RecordPosts = (tx: Tx, ids: number[]) => Promise<number>;

/** Removes all posts of a blocked person. Started again after an interruption, it continues. Resolves to their number. */
export async function removeAllPostsOf(
  db: Database,
  { userId, reason, now }: { userId: number; reason: string; now: number },
  record: RecordPosts,
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
      if (ids.length > 0) await claimSettled(tx, ids, await record(tx, ids));
      return ids.length;
    });
  }
}

/** Restores the posts that were removed because their author was blocked. Resolves to their number. */
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
    const { ids, isGone } = await db.tx(async (tx) => {
      const done: number[] = [];
      for (const { id } of posts) {
        const outcome = await restoreRemoved(tx, id, now);
        if (outcome === 'author gone') return { ids: [], isGone: true };
        if (outcome === 'restored') done.push(id);
      }
      if (done.length > 0) await record(tx, done);
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
