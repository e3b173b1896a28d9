import { type Kysely, sql } from 'kysely';
import type { Database, Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { feedList } from '../../live/own-changes.ts';
import { keptThreads } from './rules.ts';

export interface Position {
  list: number;
  post_id: number;
}

interface NewPosition {
  userId: number;
  list: number;
  postId: number;
  now: number;
}

const moveForward = prepared<NewPosition, { post_id: number }>((db, slot) =>
  db
    .insertInto('reading_positions')
    .values(({ selectFrom }) => ({
      user_id: slot('userId'),
      list: slot('list'),
      post_id: slot('postId'),
      updated_at: slot('now'),
      replies_seen: selectFrom('posts').select('thread_count').where('posts.id', '=', slot('list')),
    }))
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'list'])
        .doUpdateSet({
          post_id: (eb) => eb.ref('excluded.post_id'),
          updated_at: (eb) => eb.ref('excluded.updated_at'),
          replies_seen: (eb) => eb.ref('excluded.replies_seen'),
        })
        .whereRef('reading_positions.post_id', '<', 'excluded.post_id'),
    )
    .returning('post_id'),
);

const positionIn = prepared<{ userId: number; list: number }, { post_id: number }>((db, slot) =>
  db
    .selectFrom('reading_positions')
    .select('post_id')
    .where('user_id', '=', slot('userId'))
    .where('list', '=', slot('list')),
);

/** Moves a person's position in a list forward, never back; resolves to where it is then. */
export async function readTo(tx: Tx, { userId, list, postId, now }: NewPosition): Promise<number> {
  const [known] = list === feedList ? [undefined] : await positionIn(tx.db, { userId, list });
  const [moved] = await moveForward(tx.db, { userId, list, postId, now });
  if (!moved) return (await positionIn(tx.db, { userId, list }))[0]!.post_id;
  if (list !== feedList && !known) await limitThreads(tx, userId, now);
  tx.touch(`reading:${userId}:${list}`);
  return postId;
}

const threadsBeyond = prepared<{ userId: number }, { list: number }>((db, slot) =>
  db
    .selectFrom('reading_positions')
    .select('list')
    .where('user_id', '=', slot('userId'))
    .where('list', '>', feedList)
    .orderBy('list')
    .limit(sql<number>`1`)
    .offset(sql<number>`${sql.lit(keptThreads)}`),
);

/** Called with a new discussion: reads only the index, of one person. */
async function limitThreads(tx: Tx, userId: number, now: number): Promise<void> {
  const [beyond] = await threadsBeyond(tx.db, { userId });
  if (beyond) await schedule(tx, { name: 'forget-readings', key: String(userId), at: now });
}

/** Removes the positions in the discussions that a person read longest ago. */
export async function forgetOldReadings({ tx }: Pick<Database, 'tx'>, userId: number): Promise<void> {
  await tx(({ db }) =>
    db
      .deleteFrom('reading_positions')
      .where('user_id', '=', userId)
      .where('list', 'in', (eb) =>
        eb
          .selectFrom('reading_positions')
          .select('list')
          .where('user_id', '=', userId)
          .where('list', '>', feedList)
          .orderBy('updated_at', 'desc')
          .orderBy('list', 'desc')
          .limit(Number.MAX_SAFE_INTEGER)
          .offset(keptThreads),
      )
      .execute(),
  );
}

const positionsAmong = preparedAmong<number, Position, { userId: number }>([11], (db, lists, slot) =>
  db
    .selectFrom('reading_positions')
    .select(['list', 'post_id'])
    .where('user_id', '=', slot('userId'))
    .where('list', 'in', lists)
    .orderBy('list'),
);

/** A person's positions in those of the lists that have one. */
export const positionsOf = (db: Kysely<Schema>, userId: number, lists: readonly number[]): Promise<Position[]> =>
  positionsAmong(db, lists, { userId });
