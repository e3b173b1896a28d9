import { type Expression, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { NotificationKind } from '#contract/notification-words.ts';
import { prepared } from '../../db/prepared.ts';
import type { Schema } from '../../db/schema.ts';
import { isUnread } from '../notifications/unread.ts';
import { type PostRow, selectPosts, selectRootPosts, toPost } from '../posts/post-rows.ts';
import { type PageStart, type PostList, skippedAtMost } from '../posts/post-rules.ts';

/** The `limit` posts of a list whose keys are nearest to `from`, on one side of it. */
export interface Slice {
  from: number;
  limit: number;
}

export type KeyedRow = PostRow & { key?: number; kind?: NotificationKind; is_unread?: number };

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

/** The replies of a discussion, on any depth. */
export const discussionSlices = inBothDirections('p.id', (db, slot: Slot<'rootId'>) =>
  selectPosts(db).where('p.parent_post_id', '=', slot('rootId')),
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
    .select(['n.no as key', 'n.kind', sql<number>`case when ${isUnread('n')} then 1 else 0 end`.as('is_unread')])
    .where('n.user_id', '=', slot('userId')),
);

/** A list as `SliceQueries` of one owner. */
export interface Directions {
  below(slice: Slice): Promise<KeyedRow[]>;
  above(slice: Slice): Promise<KeyedRow[]>;
}

type Part = Omit<PostList, 'total'>;

/** Above every key. */
export const top = Number.MAX_SAFE_INTEGER;

/**
 * The part of the list below a key. `isAnyAbove` says whether the list has newer posts; if it is not given, a query finds out. A
 * page that continues after a cursor has newer posts. If all of them have been deleted since, the previous page is empty.
 */
export async function partBelow(list: Directions, from: number, limit: number, isAnyAbove?: boolean): Promise<Part> {
  const rows = await list.below({ from, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  // If no post is below `from`, all posts of the list are above.
  const first = shown.length > 0 ? keyOf(shown[0]!) : 0;
  const isTop = from === top || !(isAnyAbove ?? (await list.above({ from: first, limit: 1 })).length > 0);
  return {
    ...shownFrom(shown),
    next: rows.length > limit ? keyOf(shown.at(-1)!) : null,
    previous: isTop ? null : first,
  };
}

/** The part of the list directly above a key. */
export async function partAbove(list: Directions, from: number, limit: number): Promise<Part> {
  const rows = await list.above({ from, limit: limit + 1 });
  const shown = rows.slice(0, limit).toReversed();
  const last = shown.length > 0 ? keyOf(shown.at(-1)!) : from + 1;
  const isEnd = (await list.below({ from: last, limit: 1 })).length === 0;
  return {
    ...shownFrom(shown),
    next: isEnd ? null : last,
    previous: rows.length > limit ? keyOf(shown[0]!) : null,
  };
}

interface CountedList extends Directions {
  total: number;
  /** The key that has exactly `skip` newer keys. */
  nth(skip: number): Promise<Array<{ key: number }>>;
}

/** A page of a list other than the feed. A page beyond the end or too far down is not read. */
export async function pageOfList(list: CountedList, start: PageStart, limit: number): Promise<PostList> {
  const { total } = list;
  const skip = 'page' in start ? (start.page - 1) * limit : 0;
  if (skip >= total) return { ...nothing, total, previous: total > 0 ? 0 : null };
  if (skip > skippedAtMost) return { ...nothing, total, tooDeep: true };
  if ('above' in start) return { ...(await partAbove(list, start.above, limit)), total };
  if ('below' in start) return { ...(await partBelow(list, start.below, limit, true)), total };
  const first = skip === 0 ? undefined : (await list.nth(skip))[0];
  const from = skip === 0 ? top : first ? first.key + 1 : 0;
  return { ...(await partBelow(list, from, limit)), total };
}

const nothing = { posts: [], next: null, previous: null };

/** Only rows of the list of notifications have `kind` and `is_unread`. */
function shownFrom(rows: readonly KeyedRow[]): Pick<PostList, 'posts' | 'kinds' | 'unread'> {
  const posts = rows.map(toPost);
  if (!rows[0]?.kind) return { posts };
  return { posts, kinds: rows.map(({ kind }) => kind!), unread: rows.map(({ is_unread: isNew }) => isNew === 1) };
}

const keyOf = ({ id, key }: KeyedRow): number => key ?? id;
