import { type Kysely, sql } from 'kysely';
import type { ReadingPosition } from '#contract/account.ts';
import type { Database, Tx } from '../../db/database.ts';
import { schedule } from '../../db/job-queue.ts';
import { prepared, preparedAmong } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { advance, type NewPosition } from '../notifications/advance.ts';
import { lockPeople, sumUnread } from '../notifications/notified-people.ts';
import { feedList } from '../../live/own-changes.ts';

const thread = 'thread:';

/** The stored form of a list that passed the schema. */
export const listFrom = (name: ReadingPosition['list']): number =>
  name === 'feed' ? feedList : Number(name.slice(thread.length));

export const nameOf = (list: number): ReadingPosition['list'] => (list === feedList ? 'feed' : `${thread}${list}`);

/** Number of discussions without notifications whose positions are kept for one person. */
export const storedThreads = 1_000;

export interface Position {
  list: number;
  post_id: number;
}

/** Moves a person's position in a list forward, never back; resolves to the position after the move. */
export async function readTo(tx: Tx, to: NewPosition): Promise<number> {
  const { userId, list, now } = to;
  if (list !== feedList) await lockPeople(tx, [userId]);
  const { postId, isFirst, passed } = await advance(tx, to);
  if (passed > 0) await sumUnread(tx, userId);
  if (list !== feedList && isFirst) await limitThreads(tx, userId, now);
  return postId;
}

const threadsBeyond = prepared<{ userId: number }, { list: number }>((db, slot) =>
  db
    .selectFrom('reading_positions')
    .select('list')
    .where('user_id', '=', slot('userId'))
    .where('list', '>', feedList)
    .where('unread', 'is', null)
    .orderBy('list')
    .limit(sql<number>`1`)
    .offset(sql<number>`${sql.lit(storedThreads)}`),
);

/** Called when a person has read a discussion for the first time. */
async function limitThreads(tx: Tx, userId: number, now: number): Promise<void> {
  const [beyond] = await threadsBeyond(tx.db, { userId });
  if (beyond) await schedule(tx, { name: 'forget-readings', key: String(userId), at: now });
}

/**
 * Removes the positions in the discussions that a person read longest ago, except discussions with notifications, where the
 * position says which of them were read.
 */
export async function forgetOldReadings({ tx }: Pick<Database, 'tx'>, userId: number): Promise<void> {
  await tx(({ db }) =>
    db
      .deleteFrom('reading_positions')
      .where('user_id', '=', userId)
      .where('unread', 'is', null)
      .where('list', 'in', (eb) =>
        eb
          .selectFrom('reading_positions')
          .select('list')
          .where('user_id', '=', userId)
          .where('list', '>', feedList)
          .where('unread', 'is', null)
          .orderBy('updated_at', 'desc')
          .orderBy('list', 'desc')
          .limit(Number.MAX_SAFE_INTEGER)
          .offset(storedThreads),
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
    // A row with `post_id` 0 only counts unread notifications: nothing was read there.
    .where('post_id', '>', 0)
    .orderBy('list'),
);

/** A person's positions in these lists. A list in which nothing was read is left out. */
export const positionsOf = (db: Kysely<Schema>, userId: number, lists: readonly number[]): Promise<Position[]> =>
  positionsAmong(db, lists, { userId });
