import type { Kysely } from 'kysely';
import { otherReason } from '#contract/text.ts';
import type { Tx } from '../../db/database.ts';
import type { Schema } from '../../db/schema.ts';

export const reasons = [
  { id: 'spam', name: 'Спам' },
  { id: 'abuse', name: 'Оскорбления и травля' },
  { id: 'violence', name: 'Призывы к насилию' },
  { id: 'fraud', name: 'Мошенничество' },
  { id: 'adult', name: 'Материалы 18+' },
  { id: 'personal', name: 'Личные данные' },
  { id: otherReason, name: 'Другое' },
];

export const isReason = (id: string): boolean => reasons.some((reason) => reason.id === id);

interface Report {
  post: { id: number; user_id: number; text: string };
  userId: number;
  reasonId: string;
  comment?: string | null;
  now: number;
}

/** Stores a report with the current text of the post. A person can report a post once. */
export async function addReport({ db }: Tx, { post, userId, reasonId, comment = null, now }: Report): Promise<void> {
  await db
    .insertInto('reports')
    .values({
      post_id: post.id,
      user_id: userId,
      owner_id: post.user_id,
      reason_id: reasonId,
      text: post.text,
      comment,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doNothing())
    .execute();
}

export async function hasReported({ db }: Tx, postId: number, userId: number): Promise<boolean> {
  const report = await db
    .selectFrom('reports')
    .select('id')
    .where('post_id', '=', postId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return report !== undefined;
}

/** Settles the open reports of a post. Resolves to their number. */
export async function settleReports({ db }: Tx, postId: number, now: number): Promise<number> {
  const settled = await db
    .updateTable('reports')
    .set({ settled_at: now })
    .where('post_id', '=', postId)
    .where('settled_at', 'is', null)
    .returning('id')
    .execute();
  return settled.length;
}

/** Stores in the reports of these posts which act has settled them. Called in the same transaction as `settleReports`. */
export async function claimSettled({ db }: Tx, postIds: readonly number[], actId: number): Promise<void> {
  await db
    .updateTable('reports')
    .set({ settled_by: actId })
    .where('post_id', 'in', postIds)
    .where('settled_at', 'is not', null)
    .where('settled_by', 'is', null)
    .execute();
}

/** Reopens the reports of a post that an act has settled. Resolves to their number. */
export async function reopenSettledBy({ db }: Tx, postId: number, actId: number): Promise<number> {
  const reopened = await db
    .updateTable('reports')
    .set({ settled_at: null, settled_by: null })
    .where('post_id', '=', postId)
    .where('settled_by', '=', actId)
    .returning('id')
    .execute();
  return reopened.length;
}

/** The author of a reported post. The post itself may be gone. */
export async function ownerOfReported(db: Kysely<Schema>, postId: number): Promise<number | undefined> {
  const report = await db
    .selectFrom('reports')
    .select('owner_id')
    .where('post_id', '=', postId)
    .limit(1)
    .executeTakeFirst();
  return report?.owner_id;
}
