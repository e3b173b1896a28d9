import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import type { CallEndpoint } from '#contract/calls.ts';
import { call, callBy } from '../../../lib/api.ts';
import { explainError } from '../../../lib/explain-error.ts';
import { isDialogEntry } from '../../../lib/dialog-entry.ts';
import { fetchNow } from '../../../lib/fetch-now.ts';
import { listen, onWindowMoved } from '../../../lib/watch.ts';
import { showToast } from '../../../lib/toasts.ts';
import { onScrollToPost } from '../list/posts-on-screen.ts';
import { fetchPostPage } from '../store/fetch-post-page.ts';
import { openedList, type PostList, withThread } from '../store/post-list-state.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import { type Thread, type ThreadOrder, withFold } from '../store/thread-tree.ts';
import { withBranchPage, withOrder, withRead, withSeen, withUnfolded } from '../store/thread-updates.ts';
import { createArrivals } from './arrivals.ts';
import { createThreadWindow } from './thread-window.ts';
import type { Span } from './rows.ts';
import { loadBranch } from './load-branch.ts';
import { showOrder, storedOrder, storeOrder } from './thread-order.ts';

/** Replies on paper, in the browser's search and on the way to the end, at most. */
const wholeUpTo = 500;

interface PrintAndSearchOptions {
  /** Loads what is not loaded yet, up to the bound. Never fails. */
  loadWhole: () => Promise<void>;
  /** The same in microtasks. */
  loadWholeNow: () => Promise<void>;
  /** Puts all loaded replies into the document, or only those near the window again. */
  showWhole: (isWhole: boolean) => void;
}

/** Prints and searches a discussion with what is not loaded yet. The browser's search finds what comes while it is open. */
function startPrintAndSearch({ loadWhole, loadWholeNow, showWhole }: PrintAndSearchOptions): () => void {
  const onKey = (event: KeyboardEvent) => {
    const isSearch = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.code === 'KeyF';
    if (!isSearch) return;
    showWhole(true);
    void loadWhole();
  };
  const onPrint = () => {
    showWhole(true);
    // Browsers print as soon as this listener and the microtasks after it have run.
    void loadWholeNow();
  };
  window.addEventListener('keydown', onKey);
  const stops = [
    () => window.removeEventListener('keydown', onKey),
    listen(window, ['beforeprint'], onPrint),
    listen(window, ['afterprint'], () => showWhole(false)),
  ];
  return () => stops.forEach((stop) => stop());
}

/** Where the next new reply is, or what has to be loaded first because it may be there. */
type NextNew = { is: 'reply'; id: string } | { is: 'branch'; id: string } | { is: 'page' } | null;

interface NextNewOptions {
  /** The post with the focus, if any. */
  after: string | undefined;
  wanted: ReadonlySet<string>;
  /** Whether there are further direct replies. */
  hasPages: boolean;
  /** Whether nothing more may be loaded. */
  isEnough: boolean;
}

/** The next of the wanted replies in the order of the tree, folded ones included; after the last one the first. */
export function nextNew(thread: Thread, { after, wanted, hasPages, isEnough }: NextNewOptions): NextNew {
  const places: NonNullable<NextNew>[] = [];
  const walk = (id: string): void => {
    const { replies, more } = thread.nodes.get(id)!;
    for (const reply of replies) {
      places.push({ is: 'reply', id: reply });
      walk(reply);
    }
    if (more) places.push({ is: 'branch', id });
  };
  walk(thread.postId);
  if (hasPages) places.push({ is: 'page' });

  const isWanted = (place: NonNullable<NextNew>) => (place.is === 'reply' ? wanted.has(place.id) : !isEnough);
  const from = places.findIndex((place) => place.is === 'reply' && place.id === after) + 1;
  return places.slice(from).find(isWanted) ?? places.find((place) => place.is === 'reply' && isWanted(place)) ?? null;
}

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

/** Requests for what may contain the next new reply, at one press of the button. */
const mostLoads = 3;
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

  const windowed = createThreadWindow({ store, listId, feed, setSpan });
  const arrivals = createArrivals({ store, listId, rowOf: windowed.rowOf });
  let lastOwn = thread().own;
  let reordering: AbortController | null = null;
  let stopOffering = (): void => {};

  async function reorder(order: ThreadOrder): Promise<void> {
    storeOrder(order);
    const { next, source } = list();
    if (source.kind !== 'thread') return;
    if (thread().order === order) return reordering?.abort();
    if (reordering && !reordering.signal.aborted) return;
    if (next === null) return update((shown, discussion) => withOrder(shown, discussion, order));
    const ordered = { ...source, order };
    const change = new AbortController();
    const stopped = AbortSignal.any([signal, change.signal]);
    reordering = change;
    store.beginLoading(listId);
    try {
      const page = await fetchPostPage(ordered, { page: 1, cursor: null, signal: stopped });
      store.posts.putPage(page);
      store.update(listId, ({ thread: before }) => {
        const opened = openedList(ordered, page);
        return { ...opened, thread: { ...opened.thread!, visit: before!.visit } };
      });
    } catch (error) {
      // After an abort the next change may have begun.
      if (reordering === change) store.endLoading(listId, null);
      if (!stopped.aborted) showToast(explainError(error));
    } finally {
      if (reordering === change) reordering = null;
    }
  }

  /** Loads further replies to a post. Returns the first of them. */
  async function loadMore(id: string, by = call): Promise<string | undefined> {
    setBusy(id);
    try {
      const loaded = await loadBranch(thread(), id, { signal, call: by });
      if (!loaded) return undefined;
      const { page, ...further } = loaded;
      store.posts.putPage(page);
      flushSync(() => update((shown, discussion) => withBranchPage(shown, discussion, id, further)));
      return further.branches[0]?.id;
    } finally {
      setBusy(null);
    }
  }

  async function loadPage(by = call): Promise<void> {
    const { source, pages, next } = list();
    const page = await fetchPostPage(source, { page: pages + 1, cursor: next, signal, call: by });
    // The end of the list may have loaded it meanwhile.
    if (list().next === next) flushSync(() => store.appendPage(listId, page));
  }

  async function loadFurther(by: CallEndpoint): Promise<boolean> {
    const [id] = thread().rows.flatMap(({ ends }) => ends);
    if (id !== undefined) await loadMore(id, by);
    else if (list().next !== null) await loadPage(by);
    else return false;
    return !signal.aborted;
  }

  /** Loads the discussion, up to a bound. What fails to load stays out, and paper says how much that is. */
  async function loadWholeBy(by: CallEndpoint): Promise<void> {
    try {
      while (thread().rows.length < wholeUpTo && (await loadFurther(by)));
    } catch {}
  }

  let loadingWhole: Promise<void> | null = null;

  function loadWhole(): Promise<void> {
    loadingWhole ??= loadWholeBy(call).finally(() => (loadingWhole = null));
    return loadingWhole;
  }

  /** Loads what may contain a new reply until it is found. */
  async function findNext(wantedNow: () => string[]): Promise<string | null> {
    const after = focusedRow();
    for (let loads = 0; ; loads += 1) {
      const wanted = new Set(wantedNow());
      const isEnough = loads === mostLoads;
      const next = nextNew(thread(), { after, wanted, hasPages: list().next !== null, isEnough });
      if (next === null || next.is === 'reply') return next?.id ?? null;
      if (next.is === 'branch') await loadMore(next.id);
      else await loadPage();
    }
  }

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

  /** The dialog in which the reply was written closes first and returns the focus; then its entry restores the scrolling. */
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

  const stopParts = [windowed.start(), arrivals.start(), onScrollToPost(windowed.scrollTo)];
  const loadWholeNow = () => loadWholeBy(callBy(fetchNow));
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
        const first = await loadMore(id);
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
      let hasLeft = false;
      stopOffering = onWindowMoved(() => {
        const isThere = visibleRows().includes(id);
        hasLeft ||= !isThere;
        if (hasLeft && isThere) setBack(null);
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

    /** Goes to the next of the wanted new replies, in the order of the tree. Those in the window come last, all at once. */
    async nextOf(wanted: () => string[]): Promise<void> {
      const seen = visibleRows();
      const noteRead = (ids: string[]) => update((now, discussion) => withRead(withSeen(now, ids), discussion, ids));
      if (wanted().some((id) => !seen.includes(id))) noteRead(seen);
      flushSync(arrivals.placeAll);
      try {
        const next = await findNext(wanted);
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
