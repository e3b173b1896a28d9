import type { Kysely } from 'kysely';
import type { RemovedPost } from '#contract/posts.ts';
import { states } from '../../db/all-posts.ts';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { purgeDeletedOf } from './own-deletion.ts';
import { changeState } from './post-states.ts';
import { storedColumns, toWritten } from './post-rows.ts';
import { lockWithdrawn } from './post-writes.ts';

const listedAtMost = 100;

/** A person's removed posts, latest first. */
export async function listRemovedPostsOf(db: Kysely<Schema>, userId: number): Promise<RemovedPost[]> {
  const rows = await selectRemovedOf(db, userId)
    .orderBy('removed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(listedAtMost)
    .execute();
  return rows.map(toRemovedPost);
}

/** The next removed posts in the order of their ids, after one of them. */
export async function removedPostsAfter(
  db: Kysely<Schema>,
  { userId, after, limit }: { userId: number; after: number; limit: number },
): Promise<RemovedPost[]> {
  const rows = await selectRemovedOf(db, userId).where('id', '>', after).orderBy('id').limit(limit).execute();
  return rows.map(toRemovedPost);
}

const selectRemovedOf = (db: Kysely<Schema>, userId: number) =>
  db
    .selectFrom('removed_posts')
    .select([...storedColumns, 'removed_at', 'reason', 'unseen'])
    .where('user_id', '=', userId);

type RemovedRow = Awaited<ReturnType<ReturnType<typeof selectRemovedOf>['execute']>>[number];

const toRemovedPost = (row: RemovedRow): RemovedPost => ({
  ...toWritten(row),
  replied_post_id: row.replied_post_id === null ? null : String(row.replied_post_id),
  removed_at: row.removed_at,
  reason: row.reason,
  is_new: row.unseen === 1,
});

export async function isRemoved(db: Kysely<Schema>, id: number): Promise<boolean> {
  const post = await db.selectFrom('removed_posts').select('id').where('id', '=', id).executeTakeFirst();
  return post !== undefined;
}

/** Deletes a removed post for good; false when the author has no such post. */
export async function deleteRemovedPost(
  tx: Tx,
  id: number,
  { userId, now }: { userId: number; now: number },
): Promise<boolean> {
  const post = await lockWithdrawn(tx, id);
  if (post?.state !== states.removed || post.user_id !== userId) return false;
  await changeState(tx, post, { to: 'gone' }, now);
  return true;
}

/** Deletes the pending and deleted posts of a deleted person, and a batch of the removed ones; false when none remained. */
export async function clearWithdrawnPostsOf(
  tx: Tx,
  { userId, now, atMost }: { userId: number; now: number; atMost: number },
): Promise<boolean> {
  await tx.db.deleteFrom('pending_posts').where('user_id', '=', userId).execute();
  await purgeDeletedOf(tx, userId, now);
  const removed = tx.db.selectFrom('removed_posts').select('id').where('user_id', '=', userId);
  const posts = await removed.orderBy('id', 'desc').limit(atMost).execute();
  for (const { id } of posts) await deleteRemovedPost(tx, id, { userId, now });
  return posts.length > 0;
}
