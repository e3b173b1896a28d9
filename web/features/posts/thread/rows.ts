import { plural, replyForms } from '../../../lib/counts.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import { isHead, type Row } from '../store/thread-tree.ts';

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

/** Below this level the indentation stays the same. */
const deepest = 4;
/** The colours of the lines at the last indentation, in turn: a new one where a branch splits. */
const lineColours = 3;

const placeAt = (level: number, splits: number) => ({
  depth: Math.min(level, deepest) - 1,
  line: splits % lineColours,
});

export const placeOf = ({ level, splits }: Row) => placeAt(level, splits);

/** The place of what is below a post. */
export function placeBelow({ level, direct, splits }: Row) {
  const { depth, line } = placeAt(level + 1, splits + (direct > 1 ? 1 : 0));
  return { 'data-depth': depth, 'data-line': line };
}

/** Whether a reply says what it answers: neither the indentation nor the row above shows it. */
export const namesReplied = ({ level, parent }: Row, above: Row | undefined): boolean =>
  level >= deepest && above?.id !== parent;

/** The words of the control that folds a branch, null where a branch neither begins nor splits. */
export function foldLabel(row: Row): string | null {
  if (!isHead(row)) return null;
  return `${row.folded ? 'показать' : 'скрыть'} ${plural(row.size, replyForms)}`;
}
