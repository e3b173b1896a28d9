import { limits } from '#contract/limits.ts';
import type { Post, PostPage } from '#contract/posts.ts';
import { parseId } from '../../db/parse-id.ts';

export interface PostList {
  /** One more than requested when the list continues. */
  posts: Post[];
  total: number;
  /** The keys from which cursors are made; without them, the ids of the posts. */
  keys?: readonly number[];
  /** The page exists, but is too deep to be found by its number. */
  tooDeep?: true;
}

/** Maximum number of posts that a page number may skip in a list not counted by ranges. A cursor reaches any depth. */
export const skippedAtMost = 1_000;

/** Where a page begins: after a key already received, or at a page number counted from 1. */
export type Place = { after: number } | { page: number };

/** The parameters of a list call, as strings that passed the schema. */
export interface ListQuery {
  page?: string;
  limit?: string;
  cursor?: string;
}

export interface ListPlace {
  place: Place;
  limit: number;
  /** Equal for equal parts of a list: part of the key in the response cache. */
  key: string;
}

/** Idempotency keys are stored for a day. */
export const idempotencyKeySeconds = 24 * 3_600;

/** A cursor names the last post received and overrides the page number. Undefined for a malformed cursor. */
export function readPlace({ page = '1', limit = String(limits.pageSize), cursor }: ListQuery): ListPlace | undefined {
  if (cursor === undefined) {
    return { place: { page: Number(page) }, limit: Number(limit), key: `${page}/${limit}` };
  }
  const after = parseCursor(cursor);
  return after === undefined ? undefined : { place: { after }, limit: Number(limit), key: `${cursor}/${limit}` };
}

/** The id in a cursor; undefined for a malformed one. */
export function parseCursor(cursor: string): number | undefined {
  return /^c[0-9a-z]{1,10}$/.test(cursor) ? parseId(String(Number.parseInt(cursor.slice(1), 36))) : undefined;
}

export const toCursor = (key: number): string => `c${key.toString(36)}`;

/** The list in the form of the contract. It contains one post more than `limit` when the list continues. */
export function toPage({ posts, total, keys }: PostList, limit: number): PostPage {
  const shown = posts.slice(0, limit);
  return {
    posts: shown,
    firstPage: 1,
    lastPage: Math.max(1, Math.ceil(total / limit)),
    total,
    next: posts.length > limit ? toCursor(keys?.[limit - 1] ?? Number(shown.at(-1)!.id)) : null,
    previous: null,
  };
}
