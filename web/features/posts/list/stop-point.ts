import type { PostPage } from '#contract/posts.ts';
import { createObservable } from '../../../lib/observable.ts';
import type { PostList } from '../store/post-list-state.ts';
import type { PostListId } from '../store/post-store.ts';

/** Where the reader stopped when the last visit of the feed ended. */
export interface StopPoint {
  list: PostListId;
  /** The furthest post read. If it is deleted, the next older post stands in for it. */
  post: string;
  /** The page that begins with that post, null if it could not be loaded; undefined while it is not needed. */
  page?: PostPage | null;
  /** When the page was received, ms. */
  pageAt?: number;
  /** The newest post that was known before the page was requested. Posts after it are not in the page's number of newer posts. */
  counted: string;
  /** Whether the reader has not reached the post in this list yet. */
  isAhead: boolean;
}

export const stopPoint = createObservable<StopPoint | null>(null);

/** The post of a list that has the line above it; undefined if it is not loaded or nothing is newer. */
export function lineIn({ ids, above }: PostList, post: string): string | undefined {
  const index = ids.findIndex((id) => Number(id) <= Number(post));
  const isBelowNewer = index > 0 || (above?.from === post && above.count > 0);
  return isBelowNewer ? ids[index] : undefined;
}

/** The number of posts that are newer than the stop point, null while it is not known. */
export function newerThan(list: PostList, { post, page, counted }: StopPoint): number | null {
  const line = lineIn(list, post);
  const newest = [...new Set([...list.ids, ...list.fresh.map(({ id }) => id)])].map(Number);
  if (line !== undefined) return (list.above?.count ?? 0) + newest.filter((id) => id > Number(line)).length;
  return page ? (page.newer ?? 0) + newest.filter((id) => id > Number(counted)).length : null;
}

/** The newest post that a list knows of. */
export const newestOf = ({ ids, fresh }: PostList): string =>
  String(Math.max(0, ...[...ids, ...fresh.map(({ id }) => id)].map(Number)));
