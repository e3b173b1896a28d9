import type { Database, Tx } from '../db/database.ts';
import { takePost } from '../posts/writes.ts';
import { settleReports } from '../reports/store.ts';
import { hidePost } from './hide-post.ts';
import { restorePost } from './restore-post.ts';

/** Posts at a time: a transaction must not hold others up. */
const batch = 50;

/** Told in each transaction what it hides or restores. */
type Record = (tx: Tx, ids: number[]) => Promise<void>;

/** Hides all that somebody blocked has written; begun anew, it goes on where it stopped. Resolves to how many posts. */
export async function hideAllOf(
  db: Database,
  { userId, reason, now }: { userId: number; reason: string; now: number },
  record: Record,
): Promise<number> {
  let hidden = 0;
  for (;;) {
    const posts = await db.read.selectFrom('posts').select('id').where('user_id', '=', userId).limit(batch).execute();
    if (posts.length === 0) return hidden;
    hidden += await db.tx(async (tx) => {
      const ids: number[] = [];
      for (const { id } of posts) {
        // Its author or another process may have been quicker.
        const post = await takePost(tx, id);
        if (!post) continue;
        await hidePost(tx, post, { now, reason, withBlock: true });
        await settleReports(tx, id, now);
        ids.push(id);
      }
      if (ids.length > 0) await record(tx, ids);
      return ids.length;
    });
  }
}

/** Restores what was hidden because its author was blocked. Resolves to how many posts. */
export async function restoreAllOf(
  db: Database,
  { userId, now }: { userId: number; now: number },
  record: Record,
): Promise<number> {
  let restored = 0;
  for (;;) {
    const posts = await db.read
      .selectFrom('hidden_posts')
      .select('id')
      .where('user_id', '=', userId)
      .where('with_block', '=', 1)
      .limit(batch)
      .execute();
    if (posts.length === 0) return restored;
    const { ids, isGone } = await db.tx(async (tx) => {
      const done: number[] = [];
      for (const { id } of posts) {
        const outcome = await restorePost(tx, id, now);
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

/** Parts what a block has hidden from it: what comes after will not restore it. */
export async function keepHidden({ db }: Tx, userId: number): Promise<void> {
  await db
    .updateTable('hidden_posts')
    .set({ with_block: 0 })
    .where('user_id', '=', userId)
    .where('with_block', '=', 1)
    .execute();
}
