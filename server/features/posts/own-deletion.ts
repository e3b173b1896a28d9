import type { Kysely } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { DeletedPost } from '#contract/posts.ts';
import { isIn, states } from '../../db/all-posts.ts';
import type { Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { changeState, restorePost } from './post-states.ts';
import { storedColumns, toWritten } from './post-rows.ts';
import { lockWithdrawn, type StoredPost } from './post-writes.ts';

const undoSeconds = limits.undoDeletionSeconds;

/** Deletes a post for its author. The author can undo the deletion for `undoSeconds`. */
export const deleteOwnPost = (tx: Tx, post: StoredPost, now: number): Promise<void> =>
  changeState(tx, post, { to: 'deleted' }, now);

const selectDeleted = (db: Kysely<Schema>) => db.selectFrom('all_posts').where(isIn('deleted'));

/** A deletion dated further ahead than the whole period was recorded by a clock that was ahead, so it cannot be undone. */
const isInTime = (deletedAt: number, now: number): boolean => Math.abs(now - deletedAt) <= undoSeconds;

const listedAtMost = 100;

/** The posts that this person has deleted and can still restore, the last deleted first. */
export async function listRestorable(
  db: Kysely<Schema>,
  { userId, now }: { userId: number; now: number },
): Promise<DeletedPost[]> {
  const rows = await selectDeleted(db)
    .select([...storedColumns, 'removed_at'])
    .where('user_id', '=', userId)
    .where('removed_at', '>=', now - undoSeconds)
    .where('removed_at', '<=', now + undoSeconds)
    .orderBy('removed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(listedAtMost)
    .execute();
  return rows.map((row) => ({
    ...toWritten({ ...row, text: row.text! }),
    replied_post_id: row.replied_post_id === null ? null : String(row.replied_post_id),
    restorable_until: row.removed_at! + undoSeconds,
  }));
}

const reopenReports = prepared<{ id: number; since: number }, never>((db, slot) =>
  db
    .updateTable('reports')
    .set({ settled_at: null, settled_by: null })
    .where('post_id', '=', slot('id'))
    .where('settled_at', '>=', slot('since')),
);

/** Undoes a deletion. False unless this person deleted the post within `undoSeconds`. */
export async function undoDeletion(
  tx: Tx,
  id: number,
  { userId, now }: { userId: number; now: number },
): Promise<boolean> {
  let deletedAt = 0;
  const outcome = await restorePost(tx, id, now, (post) => {
    deletedAt = post.removed_at!;
    return post.state === states.deleted && post.user_id === userId && isInTime(deletedAt, now);
  });
  if (outcome !== 'restored') return false;
  // Reports may have been closed only because the post was deleted.
  await reopenReports(tx.db, { id, since: deletedAt });
  return true;
}

/** Ends a batch of posts whose deletion can no longer be undone; false when none remain. */
export async function purgeDeleted(tx: Tx, now: number, atMost: number): Promise<boolean> {
  const posts = await selectDeleted(tx.db)
    .select('id')
    .where((or) => or.or([or('removed_at', '<', now - undoSeconds), or('removed_at', '>', now + undoSeconds)]))
    .limit(atMost)
    .execute();
  await purge(tx, posts, now);
  return posts.length > 0;
}

/** Ends all posts that this person has deleted. */
export async function purgeDeletedOf(tx: Tx, userId: number, now: number): Promise<void> {
  await purge(tx, await selectDeleted(tx.db).select('id').where('user_id', '=', userId).execute(), now);
}

/** The latest posts come first, because the rows of a thread are locked from the deeper post towards the root. */
async function purge(tx: Tx, posts: ReadonlyArray<{ id: number }>, now: number): Promise<void> {
  for (const { id } of posts.toSorted((one, other) => other.id - one.id)) {
    const post = await lockWithdrawn(tx, id);
    // It may have been restored meanwhile.
    if (post?.state === states.deleted) await changeState(tx, post, { to: 'gone' }, now);
  }
}
