import type { FastifyBaseLogger } from 'fastify';
import type { Database, Tx } from '../db/database.ts';
import { clearHiddenOf } from '../order/hidden-posts.ts';
import { moveRemainingLikes } from '../posts/move-likes.ts';
import { deletePost, takePost, unlikePost } from '../posts/writes.ts';
import { closeAllSessionsOf } from '../sessions/store.ts';

const everyMs = 5_000;
/** Rows at a time: a transaction must not hold others up. */
const batch = 50;
/** A request that was let in before the deletion may still write for a while after it. */
const lateSeconds = 60;

/** Removes what deleted accounts have written and liked, with every count it stands in; moves the likes that wait. */
export async function clearDeleted(db: Database, now: number): Promise<void> {
  await moveRemainingLikes(db, now);
  const users = await db.read
    .selectFrom('users')
    .select(['id', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .where('cleared_at', 'is', null)
    .execute();
  for (const { id, deleted_at: deletedAt } of users) {
    await db.tx((tx) => closeAllSessionsOf(tx, id));
    await clearWritten(db, id, now);
    while (await db.tx((tx) => clearHiddenOf(tx, id, batch)));
    // A clock that has been set back since may have dated it later.
    if (Math.abs(now - deletedAt!) >= lateSeconds) await markCleared(db, id, now);
  }
}

async function clearWritten(db: Database, userId: number, now: number): Promise<void> {
  for (;;) {
    const posts = await db.read.selectFrom('posts').select('id').where('user_id', '=', userId).limit(batch).execute();
    const likes = await db.read
      .selectFrom('likes as l')
      // Those of posts that are gone are taken away with them.
      .innerJoin('posts as p', 'p.id', 'l.post_id')
      .select('l.post_id')
      .where('l.user_id', '=', userId)
      .orderBy('l.id')
      .limit(batch)
      .execute();
    if (posts.length === 0 && likes.length === 0) return;
    await db.tx(async (tx) => {
      await lockClearing(tx);
      for (const { post_id: postId } of likes) await unlikePost(tx, { postId, userId, now });
      for (const { id } of posts) {
        // Another process may have been quicker.
        const post = await takePost(tx, id);
        if (post) await deletePost(tx, post, now);
      }
    });
  }
}

/** Holds other processes' clearing up until this transaction ends: they would lock the rows of likers in other orders. */
async function lockClearing({ db }: Tx): Promise<void> {
  await db
    .insertInto('wall_settings')
    .values({ key: 'clearing', value: '' })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: '' }))
    .execute();
}

async function markCleared(db: Database, userId: number, now: number): Promise<void> {
  await db.tx(async (tx) => {
    await tx.db.deleteFrom('mutes').where('user_id', '=', userId).execute();
    await tx.db.updateTable('users').set({ cleared_at: now }).where('id', '=', userId).execute();
  });
}

/** Does so now and then; returns what stops it. */
export function keepClearingDeleted(db: Database, now: () => number, log: FastifyBaseLogger): () => void {
  let running = false;
  const timer = setInterval(() => {
    if (running) return;
    running = true;
    clearDeleted(db, now())
      .catch((error: unknown) => log.warn({ err: error }, 'could not clear what deleted accounts have left'))
      .finally(() => (running = false));
  }, everyMs).unref();
  return () => clearInterval(timer);
}
