import { toPost } from './rows.ts';
import { type PagePlace, type PostList, skippedAtMost } from './rules.ts';
import type { KeyedRow, Slice } from './list-slices.ts';

/** A list as `SliceQueries` of one owner. */
export interface Directions {
  below(slice: Slice): Promise<KeyedRow[]>;
  above(slice: Slice): Promise<KeyedRow[]>;
}

type Part = Omit<PostList, 'total'>;

/** Above every key. */
export const top = Number.MAX_SAFE_INTEGER;

/**
 * The part of the list below a key. `isAnyAbove` avoids a query: a page that continues after a cursor has newer posts above
 * it. If they have all been deleted since, reading upward from there returns an empty page.
 */
export async function partBelow(list: Directions, from: number, limit: number, isAnyAbove?: boolean): Promise<Part> {
  const rows = await list.below({ from, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  // When nothing is that old, everything is above.
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
  /** The key that has exactly `skip` newer ones. */
  nth(skip: number): Promise<Array<{ key: number }>>;
}

/** A page of a list that is not counted by ranges. Nothing is read beyond its end or too far down. */
export async function pageOfList(list: CountedList, place: PagePlace, limit: number): Promise<PostList> {
  const { total } = list;
  const skip = 'page' in place ? (place.page - 1) * limit : 0;
  if (skip >= total) return { ...nothing, total, previous: total > 0 ? 0 : null };
  if (skip > skippedAtMost) return { ...nothing, total, tooDeep: true };
  if ('above' in place) return { ...(await partAbove(list, place.above, limit)), total };
  if ('below' in place) return { ...(await partBelow(list, place.below, limit, true)), total };
  const first = skip === 0 ? undefined : (await list.nth(skip))[0];
  const from = skip === 0 ? top : first ? first.key + 1 : 0;
  return { ...(await partBelow(list, from, limit)), total };
}

const nothing = { posts: [], next: null, previous: null };

/** The kinds belong to the list of notifications. */
function shownFrom(rows: readonly KeyedRow[]): Pick<PostList, 'posts' | 'kinds'> {
  const posts = rows.map(toPost);
  return rows[0]?.kind ? { posts, kinds: rows.map(({ kind }) => kind!) } : { posts };
}

const keyOf = ({ id, key }: KeyedRow): number => key ?? id;
