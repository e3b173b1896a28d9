import type { PostListId, PostStore } from '../store/post-store.ts';

/** The rows in the document, and the height in pixels of those above and below. */
export interface Span {
  start: number;
  end: number;
  before: number;
  after: number;
}

/** A shorter discussion is in the document as a whole. */
export const windowedFrom = 30;
/** The height of a row that has not been measured. */
export const usualHeight = 150;

/** The first rows, before the place on the page is known. */
export function firstSpan(store: PostStore, listId: PostListId): Span | null {
  const ids = store.list(listId)!.ids;
  const heights = store.rowHeights(listId);
  return ids.length <= windowedFrom || heights.size === 0
    ? null
    : { start: 0, end: windowedFrom, before: 0, after: sumOfHeights(ids.slice(windowedFrom), heights) };
}

export const sumOfHeights = (ids: readonly string[], heights: ReadonlyMap<string, number>): number =>
  ids.reduce((total, id) => total + (heights.get(id) ?? usualHeight), 0);
