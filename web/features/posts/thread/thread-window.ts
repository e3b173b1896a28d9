import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { onWindowMoved } from '../../../lib/watch.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import { firstSpan, type Span, sumOfHeights, usualHeight, windowedFrom } from './rows.ts';

interface ThreadWindowOptions {
  store: PostStore;
  listId: PostListId;
  feed: RefObject<HTMLElement | null>;
  setSpan: (span: Span | null) => void;
}

/** Rows as far away as this many windows are in the document. */
const margin = 1;
/** The part of a window by which the rows may fall short of that, and around the screen the part that must be there at once. */
const slack = 0.15;
/** Rows at each end that one task renders beyond those, so that the page stays responsive on a slow processor. */
const atOnce = 1;

/** Keeps only the rows near the viewport in the document, and what is read where it is when rows come and go. */
export function createThreadWindow({ store, listId, feed, setSpan }: ThreadWindowOptions) {
  const heights = store.rowHeights(listId);
  const ids = () => store.list(listId)?.ids ?? [];
  let span: Span | null = firstSpan(store, listId);
  let width = 0;
  let isWhole = false;
  let nextPart: ReturnType<typeof setTimeout> | undefined;
  /** The articles on the screen, with their distances from the top of the window, before a change. */
  let held: Array<[Element, number]> | null = null;

  const rowOf = (id: string): HTMLElement | null =>
    feed.current?.querySelector<HTMLElement>(`:scope > [data-row="${id}"]`) ?? null;

  function hold(): void {
    if (held) return;
    const top = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
    const shown = [...document.querySelectorAll('main article')].map(
      (article) => [article, article.getBoundingClientRect()] as const,
    );
    held = shown
      .filter(([, box]) => box.bottom > top && box.top < innerHeight)
      .map(([article, box]) => [article, box.top]);
  }

  /** Scrolls so that what was on the screen is where it was. */
  function keepInPlace(): void {
    const still = held?.find(([article]) => article.isConnected);
    held = null;
    if (!still || !feed.current) return;
    const [article, before] = still;
    const moved = () => article.getBoundingClientRect().top - before;
    if (Math.abs(moved()) < 1) return;
    scrollBy({ top: moved(), behavior: 'instant' });
    // The page has become too short to scroll there.
    const missing = moved();
    if (missing < 1) return;
    thread()!.style.paddingBlockEnd = `${missing + padding()}px`;
    scrollBy({ top: missing, behavior: 'instant' });
  }

  /** Padding is added below the end of the list, which loads the next page when it is near. */
  const thread = () => feed.current?.parentElement;
  const padding = (): number => Number.parseFloat(thread()?.style.paddingBlockEnd || '0');

  /** Takes the padding back once it is below the window, where nothing moves by it. */
  function unpad(): void {
    if (padding() === 0) return;
    const padded = thread()!;
    if (padded.getBoundingClientRect().bottom - padding() >= innerHeight) padded.style.paddingBlockEnd = '';
  }

  function measure(): void {
    const box = feed.current?.getBoundingClientRect();
    if (!box) return;
    if (box.width !== width) heights.clear();
    width = box.width;
    for (const row of feed.current!.querySelectorAll<HTMLElement>(':scope > [data-row]')) {
      heights.set(row.dataset['row']!, row.getBoundingClientRect().height);
    }
  }

  /** The rows that belong into the document, null for all. */
  function wanted(): Span | null {
    const { length } = ids();
    if (isWhole || !feed.current) return null;
    if (length > windowedFrom) return around(margin);
    return span && spanOf(0, length);
  }

  /** The rows on the screen and so many windows above and below. */
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
   * Whether the rows in the document reach far enough: new ones come a few at a time, in short frames. At an end of the list
   * all must be there, because the missing ones may be on the screen.
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
    hold();
    span = next;
    // Rendering ends with `rendered`.
    flushSync(() => setSpan(next));
  }

  /** Renders what is missing on the screen now, and what is missing around it one row after another, each in its own task. */
  function follow(at = slack): void {
    unpad();
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

  /** Of the rows that are needed those on the screen, those that are there and one more at each end. */
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

    /** For paper. */
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
      keepInPlace();
      measure();
    },

    start(): () => void {
      let shownIds = ids();
      const stopHolding = store.content.subscribe(() => {
        // Called before React renders the change.
        if (ids() !== shownIds) hold();
        // It renders no more rows than are there: a page of further ones comes in parts.
        const isPage = ids().length > shownIds.length + atOnce;
        if (span === null && isPage && !isWhole) setSpan((span = spanOf(0, shownIds.length)));
        shownIds = ids();
        // Rows were added or removed: others may be needed now, at once only if their place is on the screen.
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
