import { type Expression, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { NotificationKind } from '#contract/notifications.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { type PostRow, selectPosts, selectRootPosts } from './rows.ts';

/** The `limit` posts of a list whose keys are nearest to `from`, on one side of it. */
export interface Slice {
  from: number;
  limit: number;
}

export type KeyedRow = PostRow & { key?: number; kind?: NotificationKind };

type Read<Owner extends string> = (db: Kysely<Schema>, params: Slice & Record<Owner, number>) => Promise<KeyedRow[]>;

/** The two directions in which a list is read. */
export interface SliceQueries<Owner extends string = never> {
  /** Keys below `from`, newest first. */
  below: Read<Owner>;
  /** Keys above `from`, oldest first. */
  above: Read<Owner>;
}

type Slot<Owner extends string> = <Name extends Owner | keyof Slice>(name: Name) => number;

/** SQLite plans a query again on every run if its limit is a bare parameter. */
const atMost = (limit: number): Expression<number> => sql`${limit} + 0`;

function inBothDirections<Owner extends string, DB, TB extends keyof DB>(
  key: 'p.id' | 'l.id' | 'n.no',
  select: (db: Kysely<Schema>, slot: Slot<Owner>) => SelectQueryBuilder<DB, TB, KeyedRow>,
): SliceQueries<Owner> {
  const column = sql.ref<number>(key);
  return {
    below: prepared((db, slot) =>
      select(db, slot as Slot<Owner>)
        .where(sql<boolean>`${column} < ${slot('from')}`)
        .orderBy(column, 'desc')
        .limit(atMost(slot('limit'))),
    ),
    above: prepared((db, slot) =>
      select(db, slot as Slot<Owner>)
        .where(sql<boolean>`${column} > ${slot('from')}`)
        .orderBy(column, 'asc')
        .limit(atMost(slot('limit'))),
    ),
  };
}

export const feedSlices = inBothDirections('p.id', (db, _slot: Slot<never>) => selectRootPosts(db));

export const userSlices = inBothDirections('p.id', (db, slot: Slot<'userId'>) =>
  selectRootPosts(db).where('p.user_id', '=', slot('userId')),
);

export const repliesSlices = inBothDirections('p.id', (db, slot: Slot<'postId'>) =>
  selectPosts(db).where('p.replied_post_id', '=', slot('postId')),
);

export const repliesOfUserSlices = inBothDirections('p.id', (db, slot: Slot<'userId'>) =>
  selectPosts(db).where('p.replied_post_id', 'is not', null).where('p.user_id', '=', slot('userId')),
);

export const likedSlices = inBothDirections('l.id', (db, slot: Slot<'userId'>) =>
  selectPosts(db)
    .innerJoin('likes as l', 'l.post_id', 'p.id')
    .select('l.id as key')
    .where('l.user_id', '=', slot('userId')),
);

export const notificationSlices = inBothDirections('n.no', (db, slot: Slot<'userId'>) =>
  selectPosts(db)
    .innerJoin('notifications as n', 'n.post_id', 'p.id')
    .select(['n.no as key', 'n.kind'])
    .where('n.user_id', '=', slot('userId')),
);
