import { limits } from '#contract/limits.ts';
import type { Post, PostPage } from '#contract/posts.ts';

export interface PostList {
  /** One more than asked for when there are more. */
  posts: Post[];
  total: number;
  /** What cursors are made of where that is not the posts' ids. */
  keys?: readonly number[];
  /** The page lies within the list, but too far down to be found by its number. */
  tooDeep?: true;
}

/** A page number may skip this many posts of a list that is not counted by ranges; a cursor leads to any depth. */
export const skippedAtMost = 1_000;

/** Where a stretch begins: after a post already received, or at a page counted from 1. */
export type Place = { after: number } | { page: number };

/** What a list call may carry, as strings that passed the schema. */
export interface ListQuery {
  page?: string;
  limit?: string;
  cursor?: string;
}

export interface ListPlace {
  place: Place;
  limit: number;
  /** The same stretch of the same list has the same key. */
  key: string;
}

/** Ids are opaque to clients: whatever is not one is the id of nothing. */
export const parseId = (id: string): number | undefined => (/^[1-9][0-9]{0,14}$/.test(id) ? Number(id) : undefined);

/** A key is remembered for a day. */
export const keptKeySeconds = 24 * 3_600;

/** A cursor names the last post received; it wins over the page number. Undefined when it is none of ours. */
export function readPlace({ page = '1', limit = String(limits.pageSize), cursor }: ListQuery): ListPlace | undefined {
  if (cursor === undefined) {
    return { place: { page: Number(page) }, limit: Number(limit), key: `${page}/${limit}` };
  }
  const after = parseCursor(cursor);
  return after === undefined ? undefined : { place: { after }, limit: Number(limit), key: `${cursor}/${limit}` };
}

export function parseCursor(cursor: string): number | undefined {
  return /^c[0-9a-z]{1,10}$/.test(cursor) ? parseId(String(Number.parseInt(cursor.slice(1), 36))) : undefined;
}

const toCursor = (key: number): string => `c${key.toString(36)}`;

/** The list in the form of the contract. It holds one post more than `limit` when there are more. */
export function toPage({ posts, total, keys }: PostList, limit: number): PostPage {
  const shown = posts.slice(0, limit);
  return {
    posts: shown,
    firstPage: 1,
    lastPage: Math.max(1, Math.ceil(total / limit)),
    total,
    next: posts.length > limit ? toCursor(keys?.[limit - 1] ?? Number(shown.at(-1)!.id)) : null,
  };
}
