import { excerpt } from '#contract/text-parts.ts';
import { limitOf } from '#contract/limits.ts';
import type { NotificationKind } from '#contract/notification-words.ts';
import type { Post, PostPage } from '#contract/posts.ts';
import { parseId } from '../../db/ids.ts';

export interface PostList {
  posts: Post[];
  total: number;
  /** The list continues below the key `next` and above the key `previous`; null where it ends. */
  next: number | null;
  previous: number | null;
  /** Only in the list of notifications: why the person is notified of each post. */
  kinds?: NotificationKind[];
  /** Only in the list of notifications: whether each post is unread. */
  unread?: boolean[];
  /** The number of posts newer than the first one. */
  newer?: number;
  /** The page exists, but is too deep to be found by its number. */
  tooDeep?: true;
}

/** Maximum number of posts that a page number may skip, except in the feed. A cursor reaches any depth. */
export const skippedAtMost = 1_000;

/** Where a part of a list begins: below or above a key already received, or at a page counted from 1. */
export type PageStart = { page: number } | { below: number } | { above: number };
/** A part of the feed may also begin at a post. */
export type FeedStart = PageStart | { at: number };

/** The parameters of a list call, as strings that passed the schema. */
export interface ListQuery {
  page?: string;
  limit?: string;
  cursor?: string;
  before?: string;
  at?: string;
  aside?: 'true';
}

export interface ListPart<Start extends FeedStart = PageStart> {
  start: Start;
  limit: number;
  /** Equal for equal parts of a list: part of the key in the response cache. */
  key: string;
}

/** Maximum number of discussions in a part of the right column. */
export const asideLines = 5;
const lineLength = 80;

/** Idempotency keys are stored for a day. */
export const idempotencyKeySeconds = 24 * 3_600;

/** A cursor overrides the page number. Returns undefined for a malformed cursor, for two cursors, and for `at`. */
export function readListPart(query: ListQuery): ListPart | undefined {
  const { page = '1', cursor, before, at } = query;
  const limit = limitOf(query);
  if (at !== undefined || (cursor !== undefined && before !== undefined)) return undefined;
  if (cursor === undefined && before === undefined) {
    return { start: { page: Number(page) }, limit, key: `${page}/${limit}` };
  }
  const from = parseCursor((cursor ?? before)!);
  if (from === undefined) return undefined;
  if (cursor !== undefined) return { start: { below: from }, limit, key: `${cursor}/${limit}` };
  return { start: { above: from }, limit, key: `above ${before}/${limit}` };
}

/** Also accepts `at`, the id of a post. Returns undefined for a malformed id, or an id together with a cursor. */
export function readFeedPart({ at, ...query }: ListQuery): ListPart<FeedStart> | undefined {
  if (at === undefined) return readListPart(query);
  const id = parseId(at);
  if (id === undefined || query.cursor !== undefined || query.before !== undefined) return undefined;
  const limit = limitOf(query);
  return { start: { at: id }, limit, key: `at ${id}/${limit}` };
}

/** The key in a cursor; undefined for a malformed cursor. */
export function parseCursor(cursor: string): number | undefined {
  if (cursor === toCursor(0)) return 0;
  return /^c[0-9a-z]{1,11}$/.test(cursor) ? parseId(String(Number.parseInt(cursor.slice(1), 36))) : undefined;
}

export const toCursor = (key: number): string => `c${key.toString(36)}`;

/** The list in the form of the contract. */
export function toPage({ posts, total, next, previous, newer }: PostList, limit: number): PostPage {
  return {
    posts,
    firstPage: 1,
    lastPage: Math.max(1, Math.ceil(total / limit)),
    total,
    next: next === null ? null : toCursor(next),
    previous: previous === null ? null : toCursor(previous),
    ...(newer !== undefined && { newer }),
  };
}

/** A discussion in the right column, without its count. */
export const toLine = (row: { id: number; user_id: number; text: string }) => ({
  id: String(row.id),
  owner_id: String(row.user_id),
  text: excerpt(row.text, lineLength),
});
