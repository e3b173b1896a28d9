import { limits } from '#contract/limits.ts';

/** The range of rows that are in the document, and the height in pixels of the rows above and below it. */
export interface Span {
  start: number;
  end: number;
  before: number;
  after: number;
}

/** A list with at most this many rows is in the document as a whole. */
export const windowedFrom = 30;

/** The measured heights of rows by the ids of their posts. Back restores the scroll position with them. */
export type RowHeights = ReadonlyMap<string, number>;

/** The last span of a list with these heights, to which Back returns. */
export const lastSpans = new WeakMap<RowHeights, Span>();

/** The assumed height of rows while none is measured, px. */
export const usualHeight = 120;

/**
 * The rows for the time before the scroll position is known. Null: all rows. The server's HTML contains all rows of a page, and the
 * first render in the browser must repeat it.
 */
export function firstSpan({ length }: readonly string[], heights: RowHeights): Span | null {
  const last = lastSpans.get(heights);
  if (last && last.end <= length) return last;
  if (length <= limits.pageSizeMax) return null;
  return { start: 0, end: windowedFrom, before: 0, after: (length - windowedFrom) * usualHeight };
}
