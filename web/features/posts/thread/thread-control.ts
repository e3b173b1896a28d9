import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { callBy } from '../../../lib/api.ts';
import { explainError } from '../../../lib/explain-error.ts';
import { isDialogEntry } from '../../../lib/dialog-entry.ts';
import { fetchNow } from '../../../lib/fetch-now.ts';
import { onWindowMoved } from '../../../lib/watch.ts';
import { showToast } from '../../../lib/toasts.ts';
import { onScrollToPost } from '../list/posts-on-screen.ts';
import type { Span } from '../list/row-span.ts';
import { createRowWindow } from '../list/row-window.ts';
import { type PostList, withThread } from '../store/post-list-state.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import { type Thread, type ThreadOrder, withFold } from '../store/thread-tree.ts';
import { withRead, withSeen, withUnfolded } from '../store/thread-updates.ts';
import { createArrivals } from './arrivals.ts';
import { createThreadLoader } from './load-thread.ts';
import { startPrintAndSearch } from './print-and-search.ts';
import { showOrder, storedOrder } from './thread-order.ts';

export interface ThreadControlOptions {
  store: PostStore;
  listId: PostListId;
  feed: RefObject<HTMLElement | null>;
  setSpan: (span: Span | null) => void;
  /** Called with the post whose further replies are being loaded. */
  setBusy: (id: string | null) => void;
}

/** The id of the post in whose row the focus is. */
const focusedRow = (): string | undefined => document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];

const flashMs = 1_000;

export type ThreadControl = ReturnType<typeof controlThread>;

/** Acts on the discussion on the screen. */
export function controlThread({ store, listId, feed, setSpan, setBusy }: ThreadControlOptions) {
  const leaving = new AbortController();
  const { signal } = leaving;
  const list = (): PostList => store.list(listId)!;
  const thread = (): Thread => list().thread!;
  const update = (change: (shown: PostList, discussion: Thread) => PostList): void =>
    store.update(listId, (shown) => change(shown, shown.thread!));

  const windowed = createRowWindow({ store, listId, feed, setSpan });
  const loader = createThreadLoader({ store, listId, signal, setBusy });
  const arrivals = createArrivals({ store, listId, rowOf: windowed.rowOf });
  let lastOwn = thread().own;
  let stopOffering = (): void => {};

  /** Puts the focus on a reply and scrolls it into view. */
  function reveal(id: string, block: ScrollLogicalPosition): void {
    flushSync(() => update((shown, discussion) => withUnfolded(shown, discussion, id)));
    const article = windowed.bringIn(id)?.querySelector<HTMLElement>('article');
    article?.scrollIntoView({ block });
    article?.focus({ preventScroll: true });
  }

  /** The replies that are in the window as a whole. */
  function visibleRows(): string[] {
    const top = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
    const rows = [...(feed.current?.querySelectorAll<HTMLElement>(':scope > [data-row]') ?? [])];
    const isVisible = (row: HTMLElement) => {
      const box = row.querySelector('article')!.getBoundingClientRect();
      return box.height > 0 && box.top >= top && box.bottom <= innerHeight;
    };
    return rows.filter(isVisible).map((row) => row.dataset['row']!);
  }

  /** Colours a row for a moment. */
  function flash(id: string): void {
    const row = windowed.rowOf(id);
    row?.toggleAttribute('data-flash', true);
    setTimeout(() => row?.toggleAttribute('data-flash', false), flashMs);
  }

  /**
   * Waits until the dialog in which the reply was written is closed and its history entry is left: both would scroll the page and move the
   * focus afterwards.
   */
  function revealOwn(id: string): void {
    if (signal.aborted) return;
    if (document.querySelector('dialog[open]') || isDialogEntry()) requestAnimationFrame(() => revealOwn(id));
    else requestAnimationFrame(() => !signal.aborted && showOwn(id));
  }

  function showOwn(id: string): void {
    reveal(id, 'nearest');
    flash(id);
  }

  function walkSiblings(step: 1 | -1): void {
    const { rows } = thread();
    const current = focusedRow();
    const at = rows.findIndex(({ id }) => id === current);
    const level = rows[at]?.level ?? 1;
    const isNext = (_: unknown, index: number) =>
      (step > 0 ? index > at : at === -1 || index < at) && rows[index]!.level <= level;
    const index = step > 0 || at === -1 ? rows.findIndex(isNext) : rows.findLastIndex(isNext);
    if (index >= 0) reveal(rows[index]!.id, 'nearest');
  }

  const stopParts = [windowed.start(), arrivals.start(), onScrollToPost(windowed.bringIn)];
  const { loadWhole, reorder } = loader;
  const loadWholeNow = () => loader.loadWholeBy(callBy(fetchNow));
  stopParts.push(startPrintAndSearch({ loadWhole, loadWholeNow, showWhole: windowed.showWhole }));
  if (new URLSearchParams(location.search).has('cursor') || storedOrder() === thread().order) showOrder();
  else void reorder(storedOrder()).finally(showOrder);

  return {
    /** Called after each render of the discussion. */
    rendered(): void {
      windowed.rendered();
      const { own } = thread();
      if (own !== null && own !== lastOwn) revealOwn(own);
      lastOwn = own;
    },

    reorder: (order: ThreadOrder): void => void reorder(order),

    walkSiblings,

    /** Loads further replies to a post of the discussion. */
    async more(id: string): Promise<void> {
      try {
        const first = await loader.loadMore(id);
        if (first === undefined) return;
        windowed.bringIn(first)?.querySelector('article')?.focus({ preventScroll: true });
      } catch (error) {
        if (!signal.aborted) showToast(explainError(error));
      }
    },

    /** Goes to what a reply answers. `setBack` gets the reply, and null once it is in the window again. */
    toReplied(id: string, parent: string, setBack: (id: string | null) => void): void {
      reveal(parent, 'center');
      flash(parent);
      stopOffering();
      setBack(id);
      let wasAway = false;
      stopOffering = onWindowMoved(() => {
        const isThere = visibleRows().includes(id);
        wasAway ||= !isThere;
        if (wasAway && isThere) setBack(null);
      });
    },

    /** Folds the branch of a line, and shows its post. */
    foldFromLine(id: string): void {
      flushSync(() => update((shown, discussion) => withThread(shown, withFold(discussion, id, true))));
      reveal(id, 'nearest');
    },

    /** Goes to the last reply, or to the last one that is loaded. */
    async toEnd(): Promise<void> {
      await loadWhole();
      const last = thread().rows.at(-1);
      if (signal.aborted || !last) return;
      reveal(last.id, 'end');
      scrollTo({ top: document.documentElement.scrollHeight });
    },

    goBack(id: string): void {
      reveal(id, 'center');
      flash(id);
    },

    /**
     * Goes to the next of the wanted new replies, in the order of the tree. If one of them is outside the window, the replies in the
     * window count as read first, so the next one is outside.
     */
    async nextOf(wanted: () => string[]): Promise<void> {
      const seen = visibleRows();
      const noteRead = (ids: string[]) => update((now, discussion) => withRead(withSeen(now, ids), discussion, ids));
      if (wanted().some((id) => !seen.includes(id))) noteRead(seen);
      flushSync(arrivals.placeAll);
      try {
        const next = await loader.findNext(wanted, focusedRow());
        if (next === null) return;
        noteRead([next, ...seen]);
        reveal(next, seen.includes(next) ? 'nearest' : 'center');
      } catch (error) {
        if (!signal.aborted) showToast(explainError(error));
      }
    },

    stop(): void {
      leaving.abort();
      stopOffering();
      for (const stop of stopParts) stop();
    },
  };
}
