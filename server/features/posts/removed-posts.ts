import type { Kysely } from 'kysely';
import type { RemovedPost } from '#contract/posts.ts';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { sumUnread } from '../notifications/notified-people.ts';
import { forgetPost } from './shared-posts.ts';
import { moveLikes } from './move-likes.ts';
import { storedColumns, toWritten } from './post-rows.ts';

const listedAtMost = 100;

/** A person's removed posts, latest first. Posts that the person has deleted are left out. */
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
    .where('user_id', '=', userId)
    .where('by_author', '=', 0);

type RemovedRow = Awaited<ReturnType<ReturnType<typeof selectRemovedOf>['execute']>>[number];

const toRemovedPost = (row: RemovedRow): RemovedPost => ({
  ...toWritten(row),
  replied_post_id: row.replied_post_id === null ? null : String(row.replied_post_id),
  removed_at: row.removed_at,
  reason: row.reason,
  is_new: row.unseen === 1,
});

export async function isRemoved(db: Kysely<Schema>, id: number): Promise<boolean> {
  const post = await db
    .selectFrom('removed_posts')
    .select('id')
    .where('id', '=', id)
    .where('by_author', '=', 0)
    .executeTakeFirst();
  return post !== undefined;
}

/** Deletes a removed post permanently; false when the author has no such post. */
export async function deleteRemovedPost(tx: Tx, id: number, userId: number): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom('removed_posts')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('by_author', '=', 0)
    .returning('unseen')
    .executeTakeFirst();
  if (removed) await forgetWithdrawn(tx, id);
  if (removed?.unseen === 1) await sumUnread(tx, userId);
  return removed !== undefined;
}

/** Removes the likes and other rows of a withdrawn post that is gone for good. */
export async function forgetWithdrawn(tx: Tx, id: number): Promise<void> {
  await moveLikes(tx, id, 'deleted');
  await forgetPost(tx, id);
}

/** Deletes the pending posts of a deleted person, and a batch of withdrawn posts and of likes of withdrawn posts; false when none remained. */
export async function clearWithdrawnPostsOf(tx: Tx, userId: number, atMost: number): Promise<boolean> {
  await tx.db.deleteFrom('pending_posts').where('user_id', '=', userId).execute();
  const posts = await tx.db
    .deleteFrom('removed_posts')
    .where('id', 'in', (eb) => eb.selectFrom('removed_posts').select('id').where('user_id', '=', userId).limit(atMost))
    .returning('id')
    .execute();
  for (const { id } of posts) await forgetWithdrawn(tx, id);
  const likes = await tx.db
    .deleteFrom('removed_likes')
    .where('id', 'in', (eb) => eb.selectFrom('removed_likes').select('id').where('user_id', '=', userId).limit(atMost))
    .returning('id')
    .execute();
  return posts.length + likes.length > 0;
}
