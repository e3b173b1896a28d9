import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { onWindowMoved } from '../../../lib/watch.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import { createAnchor } from './keep-in-place.ts';
import { firstSpan, type Span, sumOfHeights, usualHeight, windowedFrom } from './rows.ts';

interface ThreadWindowOptions {
  store: PostStore;
  listId: PostListId;
  feed: RefObject<HTMLElement | null>;
  setSpan: (span: Span | null) => void;
}

/** How far above and below the window the document contains rows, in heights of the window. */
const margin = 1;
/**
 * A part of the window's height. Rows are rendered when more than this part is missing from the margin: those nearer to the window than
 * this part at once, the others later.
 */
const slack = 0.15;
/** Number of later rows that one task renders at each end, so that the page stays responsive on a slow processor. */
const atOnce = 1;

/** Keeps only the rows near the window in the document. */
export function createThreadWindow({ store, listId, feed, setSpan }: ThreadWindowOptions) {
  const anchor = createAnchor(feed);
  const heights = store.rowHeights(listId);
  const ids = () => store.list(listId)?.ids ?? [];
  let span: Span | null = firstSpan(store, listId);
  let width = 0;
  let isWhole = false;
  let nextPart: ReturnType<typeof setTimeout> | undefined;

  const rowOf = (id: string): HTMLElement | null =>
    feed.current?.querySelector<HTMLElement>(`:scope > [data-row="${id}"]`) ?? null;

  function measure(): void {
    const box = feed.current?.getBoundingClientRect();
    if (!box) return;
    if (box.width !== width) heights.clear();
    width = box.width;
    for (const row of feed.current!.querySelectorAll<HTMLElement>(':scope > [data-row]')) {
      heights.set(row.dataset['row']!, row.getBoundingClientRect().height);
    }
  }

  /** The rows that the document should contain; null for all. */
  function wanted(): Span | null {
    const { length } = ids();
    if (isWhole || !feed.current) return null;
    if (length > windowedFrom) return around(margin);
    return span && spanOf(0, length);
  }

  /** The rows in the window, and those up to this many window heights above and below it. */
  function around(windows: number): Span {
    const all = ids();
    const { top: at } = feed.current!.getBoundingClientRect();
    const [from, to] = [-at - windows * innerHeight, -at + (1 + windows) * innerHeight];
    let [start, end] = [0, 0];
    for (let top = 0; end < all.length && (top < to || end < 1); end += 1) {
      top += heights.get(all[end]!) ?? usualHeight;
      if (top < from) start = end + 1;
    }
    return spanOf(start, end);
  }

  function spanOf(start: number, end: number): Span {
    const all = ids();
    return {
      start,
      end,
      before: sumOfHeights(all.slice(0, start), heights),
      after: sumOfHeights(all.slice(end), heights),
    };
  }

  /**
   * Whether the rows in the document reach far enough to wait with rendering more. At an end of the list no row may be missing, because
   * it may be in the window.
   */
  function isEnough(next: Span): boolean {
    if (!span) return false;
    const isSlight = (from: number, to: number) => near(from, to) < slack * innerHeight;
    const isAbove = span.start <= next.start || (next.start > 0 && isSlight(next.start, span.start));
    const isBelow = span.end >= next.end || (next.end < ids().length && isSlight(span.end, next.end));
    return isAbove && isBelow && next.end - next.start + 24 > span.end - span.start;
  }

  const near = (from: number, to: number): number => sumOfHeights(ids().slice(from, to), heights);

  function show(next: Span | null): void {
    if (next === null && span === null) return;
    anchor.hold();
    span = next;
    // `rendered` is called at the end of this rendering.
    flushSync(() => setSpan(next));
  }

  /** Renders rows that are missing in the window or near it now, and rows that are further away one by one, each in a task of its own. */
  function follow(at = slack): void {
    anchor.unpad();
    const next = wanted();
    if (next === null || span === null) show(next);
    else if (!isEnough(next)) {
      const least = around(at);
      if (least.start < span.start || least.end > span.end) show(partOf(next, span, least));
      nextPart ??= setTimeout(showPart);
    }
  }

  function showPart(): void {
    nextPart = undefined;
    const next = wanted();
    if (next === null || span === null || isEnough(next)) return;
    show(partOf(next, span, around(slack)));
    nextPart = setTimeout(showPart);
  }

  /** The rows of the next rendering: those that are there, those that must be there at once, and one more at each end; none outside `next`. */
  function partOf(next: Span, there: Span, least: Span): Span {
    const from = there.start <= least.end && least.start <= there.end ? there : least;
    const start = Math.max(next.start, Math.min(least.start, from.start - atOnce));
    return spanOf(start, Math.min(next.end, Math.max(least.end, from.end + atOnce)));
  }

  function bringIn(id: string): HTMLElement | null {
    const there = rowOf(id);
    const index = ids().indexOf(id);
    if (there || index === -1 || !feed.current) return there;
    const top = feed.current.getBoundingClientRect().top + sumOfHeights(ids().slice(0, index), heights);
    scrollBy({ top: top - innerHeight / 2, behavior: 'instant' });
    show(wanted());
    return rowOf(id);
  }

  return {
    rowOf,
    bringIn,

    /** Puts all rows into the document, for printing and for the browser's search, or only those near the window again. */
    showWhole(wholly: boolean): void {
      isWhole = wholly;
      follow();
    },

    scrollTo(id: string, top: number): void {
      const row = bringIn(id);
      if (row) scrollBy({ top: row.getBoundingClientRect().top - top, behavior: 'instant' });
    },

    /** Called after each render of the discussion. */
    rendered(): void {
      anchor.release();
      measure();
    },

    start(): () => void {
      let shownIds = ids();
      const stopHolding = store.content.subscribe(() => {
        // Called before React renders the change.
        if (ids() !== shownIds) anchor.hold();
        // A page of further rows is rendered in parts, so at first only the rows before it are shown.
        const isPage = ids().length > shownIds.length + atOnce;
        if (span === null && isPage && !isWhole) setSpan((span = spanOf(0, shownIds.length)));
        shownIds = ids();
        // Rows were added or removed, so other rows may be needed now. Only those in the window are rendered at once.
        queueMicrotask(() => feed.current && follow(0));
      });
      const stopFollowing = onWindowMoved(() => feed.current && follow());
      return () => {
        clearTimeout(nextPart);
        stopHolding();
        stopFollowing();
      };
    },
  };
}
