import { sql } from 'kysely';
import type { Database, Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isNotDeleted } from '../../db/visibility.ts';
import { recordChange } from '../../live/change-log.ts';
import { moveNotifications } from '../notifications/move-notifications.ts';

/** Likes per transaction, so that other writers do not wait long. */
const batch = 100;

type PostState = Schema['likes_to_move']['post_state'];

interface Range {
  postId: number;
  /** The id of the last person whose like is moved. */
  upTo: number;
}

const note = prepared<{ postId: number; state: PostState }, never>((db, slot) =>
  db
    .insertInto('likes_to_move')
    .values({ post_id: slot('postId'), post_state: slot('state') })
    .onConflict((conflict) =>
      conflict.column('post_id').doUpdateSet({ post_state: (eb) => eb.ref('excluded.post_state') }),
    ),
);

const lock = prepared<{ postId: number }, { post_state: PostState }>((db, slot) =>
  db
    .updateTable('likes_to_move')
    .set((eb) => ({ post_state: eb.ref('post_state') }))
    .where('post_id', '=', slot('postId'))
    .returning('post_state'),
);

const finishMove = prepared<{ postId: number }, never>((db, slot) =>
  db.deleteFrom('likes_to_move').where('post_id', '=', slot('postId')),
);

const lastOfBatch = (table: 'likes' | 'removed_likes') =>
  prepared<{ postId: number }, { user_id: number }>((db, slot) =>
    db
      .selectFrom(table)
      .select('user_id')
      .where('post_id', '=', slot('postId'))
      .orderBy('user_id')
      .limit(sql<number>`1`)
      .offset(sql<number>`${sql.lit(batch - 1)}`),
  );

const removeFrom = (table: 'likes' | 'removed_likes') =>
  prepared<Range, never>((db, slot) =>
    db.deleteFrom(table).where('post_id', '=', slot('postId')).where('user_id', '<=', slot('upTo')),
  );

const lastLike = lastOfBatch('likes');
const lastWithdrawnLike = lastOfBatch('removed_likes');
const removeLikes = removeFrom('likes');
const removeWithdrawnLikes = removeFrom('removed_likes');

const countOut = prepared<Range, never>((db, slot) =>
  db
    .updateTable('users')
    .set((eb) => ({ likes_count: eb('likes_count', '-', 1) }))
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('likes')
        .select('user_id')
        .where('post_id', '=', slot('postId'))
        .where('user_id', '<=', slot('upTo'))
        // There are never more rows than a batch. Without the limit PostgreSQL's planner would expect thousands and read all users.
        .orderBy('user_id')
        .limit(sql<number>`${sql.lit(batch)}`),
    ),
);

/** Copies the likes of people who still have an account. Skips those who have liked the post again. */
const copy = (from: 'likes' | 'removed_likes', to: 'likes' | 'removed_likes') =>
  prepared<Range, { user_id: number }>((db, slot) =>
    db
      .insertInto(to)
      .columns(['id', 'post_id', 'user_id', 'created_at'])
      .expression((eb) =>
        eb
          .selectFrom(`${from as 'likes'} as l`)
          .innerJoin('users as u', 'u.id', 'l.user_id')
          .select(['l.id', 'l.post_id', 'l.user_id', 'l.created_at'])
          .where('l.post_id', '=', slot('postId'))
          .where('l.user_id', '<=', slot('upTo'))
          .where(isNotDeleted('u')),
      )
      .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doNothing())
      .returning('user_id'),
  );

const withdrawLikes = copy('likes', 'removed_likes');
const restoreLikes = copy('removed_likes', 'likes');

const countIn = prepared<
  { postId: number; n: number },
  Pick<Schema['posts'], 'user_id' | 'replied_post_id' | 'parent_post_id'>
>((db, slot) =>
  db
    .updateTable('posts')
    .set((eb) => ({ likes_count: eb('likes_count', '+', slot('n')) }))
    .where('id', '=', slot('postId'))
    .returning(['user_id', 'replied_post_id', 'parent_post_id']),
);

const countShown = prepared<{ postId: number }, { n: number }>((db, slot) =>
  db
    .selectFrom('likes')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('post_id', '=', slot('postId')),
);

/**
 * Moves the likes and notifications of a post to the tables of its state: one batch in this transaction, the rest by
 * `moveRemainingLikes`. Until then the rest still counts for the people who gave the likes or got the notifications.
 */
export async function moveLikes(tx: Tx, postId: number, state: PostState): Promise<void> {
  await note(tx.db, { postId, state });
  if (state === 'shown') {
    // If the post was withdrawn recently, some may not have been moved yet.
    const [remaining] = await countShown(tx.db, { postId });
    await countIn(tx.db, { postId, n: remaining!.n });
  }
  if (await moveBatch(tx, postId, state)) await finishMove(tx.db, { postId });
  else await schedule(tx, { name: 'move-likes', key: String(postId), at: 0 });
}

/** Moves the remaining likes and notifications in batches, until the signal is aborted. */
export async function moveRemainingLikes(
  db: Database,
  postId: number,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<void> {
  while (await db.tx((tx) => moveNext(tx, postId, now))) signal.throwIfAborted();
}

/** Moves one batch. False when it was the last one. */
async function moveNext(tx: Tx, postId: number, now: number): Promise<boolean> {
  const [waiting] = await lock(tx.db, { postId });
  if (!waiting) return false;
  const done = await moveBatch(tx, postId, waiting.post_state);
  if (waiting.post_state === 'shown') await recordCount(tx, postId, now);
  if (done) await finishMove(tx.db, { postId });
  return !done;
}

/** True when it was the last batch. */
async function moveBatch(tx: Tx, postId: number, state: PostState): Promise<boolean> {
  const done = await moveBatchOfLikes(tx, postId, state);
  return (await moveNotifications(tx, postId, state)) && done;
}

async function moveBatchOfLikes(tx: Tx, postId: number, state: PostState): Promise<boolean> {
  if (state === 'shown') return restoreBatch(tx, postId);
  const done = await withdrawBatch(tx, postId, state === 'removed');
  return state === 'removed' ? done : (await dropWithdrawn(tx, postId)) && done;
}

async function withdrawBatch({ db }: Tx, postId: number, keep: boolean): Promise<boolean> {
  const [last] = await lastLike(db, { postId });
  const range = { postId, upTo: last?.user_id ?? Number.MAX_SAFE_INTEGER };
  await countOut(db, range);
  if (keep) await withdrawLikes(db, range);
  await removeLikes(db, range);
  return !last;
}

async function dropWithdrawn({ db }: Tx, postId: number): Promise<boolean> {
  const [last] = await lastWithdrawnLike(db, { postId });
  await removeWithdrawnLikes(db, { postId, upTo: last?.user_id ?? Number.MAX_SAFE_INTEGER });
  return !last;
}

async function restoreBatch({ db }: Tx, postId: number): Promise<boolean> {
  const [last] = await lastWithdrawnLike(db, { postId });
  const range = { postId, upTo: last?.user_id ?? Number.MAX_SAFE_INTEGER };
  const shown = await restoreLikes(db, range);
  await removeWithdrawnLikes(db, range);
  if (shown.length > 0) {
    const ids = shown.map(({ user_id: id }) => id);
    const more = db.updateTable('users').set((eb) => ({ likes_count: eb('likes_count', '+', 1) }));
    await more.where('id', 'in', ids).execute();
    await countIn(db, { postId, n: shown.length });
  }
  return !last;
}

async function recordCount(tx: Tx, postId: number, now: number): Promise<void> {
  const [post] = await countIn(tx.db, { postId, n: 0 });
  if (!post) return;
  const { user_id: ownerId, replied_post_id: repliedTo, parent_post_id: rootId } = post;
  await recordChange(tx, { kind: 'counted', postId, ownerId, repliedTo, rootId, now });
  tx.touch(`post:${postId}`);
}
