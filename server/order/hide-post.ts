import type { Tx } from '../db/database.ts';
import { deletePost, type TakenPost } from '../posts/writes.ts';

export interface Hiding {
  now: number;
  /** What its author is told. */
  reason: string;
  /** Whether it goes because its author is blocked. */
  withBlock: boolean;
}

/** Takes a post off the wall as its author would, and keeps it with its likes for its author and for `restorePost`. */
export async function hidePost(tx: Tx, post: TakenPost, hiding: Hiding): Promise<void> {
  await keepPost(tx, post.id, hiding);
  await deletePost(tx, post, hiding.now, 'hidden');
}

async function keepPost({ db }: Tx, id: number, { now, reason, withBlock }: Hiding): Promise<void> {
  const post = await db
    .selectFrom('posts as p')
    .leftJoin('answers as a', 'a.post_id', 'p.id')
    .select(['p.id', 'p.user_id', 'p.text', 'p.created_at', 'p.is_modified', 'p.parent_post_id', 'p.replied_post_id'])
    .select(['a.user_id as answered_id', 'a.no as answer_no'])
    .where('p.id', '=', id)
    .executeTakeFirstOrThrow();
  await db
    .insertInto('hidden_posts')
    .values({ ...post, hidden_at: now, reason, with_block: withBlock ? 1 : 0 })
    .execute();
}
