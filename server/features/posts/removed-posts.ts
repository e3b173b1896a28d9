import type { Kysely } from 'kysely';
import type { RemovedPost } from '#contract/posts.ts';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';
import { moveLikes } from './move-likes.ts';
import { storedColumns, toWritten } from './rows.ts';
import { forgetNotifications } from '../notifications/store.ts';

const listedAtMost = 100;

/** What of a person's has been taken off the wall, latest first. */
export async function listRemovedPostsOf(db: Kysely<Schema>, userId: number): Promise<RemovedPost[]> {
  const rows = await selectRemovedOf(db, userId)
    .orderBy('removed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(listedAtMost)
    .execute();
  return rows.map(toRemovedPost);
}

/** The same in the order of their ids, from one of them on. */
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
    .select([...storedColumns, 'removed_at', 'reason'])
    .where('user_id', '=', userId);

type RemovedRow = Awaited<ReturnType<ReturnType<typeof selectRemovedOf>['execute']>>[number];

const toRemovedPost = (row: RemovedRow): RemovedPost => ({
  ...toWritten(row),
  replied_post_id: row.replied_post_id === null ? null : String(row.replied_post_id),
  removed_at: row.removed_at,
  reason: row.reason,
});

export async function isRemoved(db: Kysely<Schema>, id: number): Promise<boolean> {
  const post = await db.selectFrom('removed_posts').select('id').where('id', '=', id).executeTakeFirst();
  return post !== undefined;
}

/** Removes a removed post for good; false when its author has no such one. */
export async function deleteRemovedPost(tx: Tx, id: number, userId: number): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom('removed_posts')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  if (removed) await forget(tx, id);
  return removed !== undefined;
}

async function forget(tx: Tx, id: number): Promise<void> {
  await moveLikes(tx, id, 'deleted');
  await forgetNotifications(tx, id);
}

/** Removes some of what is removed of a person who is gone, and their likes there; false when nothing was left. */
export async function clearRemovedPostsOf(tx: Tx, userId: number, atMost: number): Promise<boolean> {
  const posts = await tx.db
    .deleteFrom('removed_posts')
    .where('id', 'in', (eb) => eb.selectFrom('removed_posts').select('id').where('user_id', '=', userId).limit(atMost))
    .returning('id')
    .execute();
  for (const { id } of posts) await forget(tx, id);
  const likes = await tx.db
    .deleteFrom('removed_likes')
    .where('id', 'in', (eb) => eb.selectFrom('removed_likes').select('id').where('user_id', '=', userId).limit(atMost))
    .returning('id')
    .execute();
  return posts.length + likes.length > 0;
}
