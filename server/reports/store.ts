import type { Tx } from '../db/database.ts';

interface Report {
  post: { id: number; user_id: number; text: string };
  userId: number;
  reasonId: string;
  now: number;
}

/** Keeps a report with the text as it was; each person reports a post once. */
export async function addReport({ db }: Tx, { post, userId, reasonId, now }: Report): Promise<void> {
  await db
    .insertInto('reports')
    .values({
      post_id: post.id,
      user_id: userId,
      owner_id: post.user_id,
      reason_id: reasonId,
      text: post.text,
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

/** Resolves to how many were open. */
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
