import type { Kysely } from 'kysely';
import type { HiddenPost } from '#contract/posts.ts';
import type { Tx } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { moveLikes } from '../posts/move-likes.ts';

const listedAtMost = 100;

/** What of a person's has been taken off the wall, latest first. */
export async function listHiddenOf(db: Kysely<Schema>, userId: number): Promise<HiddenPost[]> {
  const rows = await selectHiddenOf(db, userId)
    .orderBy('hidden_at', 'desc')
    .orderBy('id', 'desc')
    .limit(listedAtMost)
    .execute();
  return rows.map(toHidden);
}

/** The same in the order of their ids, from one of them on. */
export async function hiddenAfter(
  db: Kysely<Schema>,
  { userId, after, limit }: { userId: number; after: number; limit: number },
): Promise<HiddenPost[]> {
  const rows = await selectHiddenOf(db, userId).where('id', '>', after).orderBy('id').limit(limit).execute();
  return rows.map(toHidden);
}

const selectHiddenOf = (db: Kysely<Schema>, userId: number) =>
  db
    .selectFrom('hidden_posts')
    .select(['id', 'text', 'created_at', 'is_modified', 'replied_post_id', 'hidden_at', 'reason'])
    .where('user_id', '=', userId);

type HiddenRow = Awaited<ReturnType<ReturnType<typeof selectHiddenOf>['execute']>>[number];

const toHidden = ({ id, is_modified, replied_post_id: answered, ...row }: HiddenRow): HiddenPost => ({
  ...row,
  id: String(id),
  is_modified: is_modified === 1,
  replied_post_id: answered === null ? null : String(answered),
});

export async function isHidden(db: Kysely<Schema>, id: number): Promise<boolean> {
  const post = await db.selectFrom('hidden_posts').select('id').where('id', '=', id).executeTakeFirst();
  return post !== undefined;
}

/** Removes a hidden post for good; false when its author has no such one. */
export async function removeHidden(tx: Tx, id: number, userId: number): Promise<boolean> {
  const removed = await tx.db
    .deleteFrom('hidden_posts')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst();
  if (removed) await moveLikes(tx, id, 'deleted');
  return removed !== undefined;
}

/** Removes some of what is hidden of a person who is gone, and their likes there; false when nothing was left. */
export async function clearHiddenOf(tx: Tx, userId: number, atMost: number): Promise<boolean> {
  const posts = await tx.db
    .deleteFrom('hidden_posts')
    .where('id', 'in', (eb) => eb.selectFrom('hidden_posts').select('id').where('user_id', '=', userId).limit(atMost))
    .returning('id')
    .execute();
  for (const { id } of posts) await moveLikes(tx, id, 'deleted');
  const likes = await tx.db
    .deleteFrom('hidden_likes')
    .where('id', 'in', (eb) => eb.selectFrom('hidden_likes').select('id').where('user_id', '=', userId).limit(atMost))
    .returning('id')
    .execute();
  return posts.length + likes.length > 0;
}
