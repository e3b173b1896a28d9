import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { createAnchor } from '../../../lib/keep-in-place.ts';
import { listen } from '../../../lib/watch.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import { firstSpan, lastSpans, type RowHeights, type Span, usualHeight, windowedFrom } from './row-span.ts';

interface RowWindowOptions {
  store: PostStore;
  listId: PostListId;
  feed: RefObject<HTMLElement | null>;
  setSpan: (span: Span | null) => void;
  /** The posts in the order of the screen, if that is not the order of the list. */
  order?: () => readonly string[] | undefined;
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

const assumedHeights = new WeakMap<RowHeights, number>();

/**
 * The assumed height of rows that are not measured, px: the mean of those that were measured first. It stays, because the heights
 * above and below the rows in the document are calculated with it. Rows of muted authors have no height and do not count. The mean is
 * whole, because browsers scroll by whole pixels: fractions would add up.
 */
function assumedHeight(heights: RowHeights): number {
  const known = assumedHeights.get(heights);
  if (known !== undefined) return known;
  const measured = [...heights.values()].filter((height) => height > 0);
  if (measured.length === 0) return usualHeight;
  const mean = Math.round(measured.reduce((total, height) => total + height, 0) / measured.length);
  assumedHeights.set(heights, mean);
  return mean;
}

/** Keeps only the rows near the window in the document. */
export function createRowWindow({ store, listId, feed, setSpan, order }: RowWindowOptions) {
  const anchor = createAnchor(feed);
  const heights = store.rowHeights(listId);
  const stored = () => store.list(listId)?.ids ?? [];
  const ids = () => order?.() ?? stored();
  let span: Span | null = firstSpan(ids(), heights);
  let renderedIds: readonly string[] | undefined;
  let width = 0;
  let isWhole = false;
  let nextPart: ReturnType<typeof setTimeout> | undefined;

  const rowOf = (id: string): HTMLElement | null =>
    feed.current?.querySelector<HTMLElement>(`:scope > [data-row="${id}"]`) ?? null;

  function measure(): void {
    const box = feed.current?.getBoundingClientRect();
    if (!box) return;
    // The heights may be those of an earlier visit.
    if (width !== 0 && box.width !== width) {
      heights.clear();
      assumedHeights.delete(heights);
    }
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
    const assumed = assumedHeight(heights);
    let [start, end] = [0, 0];
    for (let top = 0; end < all.length && (top < to || end < 1); end += 1) {
      top += heights.get(all[end]!) ?? assumed;
      if (top < from) start = end + 1;
    }
    return spanOf(start, end);
  }

  function spanOf(start: number, end: number): Span {
    const all = ids();
    return {
      start,
      end,
      before: heightOf(all.slice(0, start)),
      after: heightOf(all.slice(end)),
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

  const near = (from: number, to: number): number => heightOf(ids().slice(from, to));
  function heightOf(rows: readonly string[]): number {
    const assumed = assumedHeight(heights);
    return rows.reduce((total, id) => total + (heights.get(id) ?? assumed), 0);
  }

  function show(next: Span | null): void {
    if (next === null && span === null) return;
    anchor.hold();
    span = next;
    if (next) lastSpans.set(heights, next);
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
    // With the present heights the page is long enough to scroll to the row.
    if (span) show(spanOf(span.start, span.end));
    const top = feed.current.getBoundingClientRect().top + near(0, index);
    scrollBy({ top: top - innerHeight / 2, behavior: 'instant' });
    show(wanted());
    return rowOf(id);
  }

  /** Called after each render of the list, and after a change of single rows. */
  function rendered(): void {
    anchor.release();
    measure();
    if (ids() === renderedIds) return;
    renderedIds = ids();
    // Rows were added or removed, so other rows may be needed now. Only those in the window are rendered at once.
    queueMicrotask(() => feed.current && follow(0));
  }

  return {
    rowOf,
    bringIn,

    /** Puts all rows into the document, for printing and for the browser's search, or only those near the window again. */
    showWhole(wholly: boolean): void {
      isWhole = wholly;
      follow();
    },

    rendered,

    start(): () => void {
      let storedIds = stored();
      const stopHolding = store.content.subscribe(() => {
        // Called before React renders the change.
        const [before, now] = [storedIds, stored()];
        storedIds = now;
        // A page of further rows is rendered in parts, so at first only the rows that are there are shown, also below new ones.
        const isPage = now.length > before.length + atOnce;
        if (!feed.current || (span === null && !isPage && isHeldByBrowser(feed.current))) return;
        anchor.hold();
        // React renders the change in a microtask that is queued after this one. It does not render the list if only a row changes.
        queueMicrotask(() => queueMicrotask(rendered));
        if (now === before || isWhole) return;
        const first = before[span?.start ?? 0];
        const start = first === undefined ? -1 : now.indexOf(first);
        if (start < 0 || (span === null ? !isPage : start === span.start)) return;
        span = spanOf(start, start + (span ? span.end - span.start : before.length));
        setSpan(span);
      });
      const followNow = () => feed.current && follow();
      // The list has just been rendered, and the caller may scroll it before the browser paints.
      queueMicrotask(followNow);
      const stopFollowing = listen(window, ['scroll', 'resize'], followNow);
      return () => {
        clearTimeout(nextPart);
        anchor.stop();
        stopHolding();
        stopFollowing();
      };
    },
  };
}

/** Whether the scroll anchoring of the browser keeps the list where it is. Styles can turn it off, and some browsers have none. */
const isHeldByBrowser = (feed: HTMLElement): boolean => getComputedStyle(feed).overflowAnchor === 'auto';
