import type { RefObject } from 'react';
import { flushSync } from 'react-dom';
import { explainError } from '../../../lib/api-error.ts';
import { isDialogEntry } from '../../../lib/dialog-entry.ts';
import { showToast } from '../../../lib/toasts.ts';
import { onWalkSiblings } from '../../shortcuts/walk-siblings.ts';
import { onScrollToPost } from '../list/posts-on-screen.ts';
import { fetchPostPage } from '../store/fetch-post-page.ts';
import { openedList, type PostList } from '../store/post-list-state.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import type { Thread, ThreadOrder } from '../store/thread-tree.ts';
import { withBranchPage, withOrder, withSeen, withUnfolded } from '../store/thread-updates.ts';
import { loadBranch } from './load-branch.ts';
import { createArrivals } from './arrivals.ts';
import { showOrder, storedOrder, storeOrder } from './thread-order.ts';
import { createThreadWindow, type Span } from './thread-window.ts';

export interface ThreadControlOptions {
  store: PostStore;
  listId: PostListId;
  feed: RefObject<HTMLElement | null>;
  setSpan: (span: Span | null) => void;
  /** Called with the post whose further replies are being loaded. */
  setBusy: (id: string | null) => void;
}

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

  async function reorder(order: ThreadOrder): Promise<void> {
    storeOrder(order);
    const { next, source } = list();
    if (source.kind !== 'thread' || thread().order === order) return;
    if (next === null) return update((shown, discussion) => withOrder(shown, discussion, order));
    const ordered = { ...source, order };
    store.beginLoading(listId);
    try {
      const page = await fetchPostPage(ordered, { page: 1, cursor: null, signal });
      store.posts.putPage(page);
      store.update(listId, () => openedList(ordered, page));
    } catch (error) {
      if (signal.aborted) return;
      store.endLoading(listId, null);
      showToast(explainError(error));
    }
  }

  /** Puts the focus on a reply and scrolls it into view. */
  function reveal(id: string, block: ScrollLogicalPosition): void {
    flushSync(() => update((shown, discussion) => withUnfolded(shown, discussion, id)));
    const article = windowed.bringIn(id)?.querySelector<HTMLElement>('article');
    article?.scrollIntoView({ block });
    article?.focus({ preventScroll: true });
  }

  /** The dialog in which the reply was written closes first and returns the focus; then its entry restores the scrolling. */
  function revealOwn(id: string): void {
    if (signal.aborted) return;
    if (document.querySelector('dialog[open]') || isDialogEntry()) requestAnimationFrame(() => revealOwn(id));
    else requestAnimationFrame(() => !signal.aborted && reveal(id, 'nearest'));
  }

  function walkSiblings(step: 1 | -1): void {
    const { rows } = thread();
    const current = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
    const at = rows.findIndex(({ id }) => id === current);
    const level = rows[at]?.level ?? 1;
    const isNext = (_: unknown, index: number) =>
      (step > 0 ? index > at : at === -1 || index < at) && rows[index]!.level <= level;
    const index = step > 0 || at === -1 ? rows.findIndex(isNext) : rows.findLastIndex(isNext);
    if (index >= 0) reveal(rows[index]!.id, 'nearest');
  }

  const stopParts = [
    windowed.start(),
    arrivals.start(),
    onScrollToPost(windowed.scrollTo),
    onWalkSiblings(walkSiblings),
  ];
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

    /** Loads further replies to a post of the discussion. */
    async more(id: string): Promise<void> {
      setBusy(id);
      try {
        const loaded = await loadBranch(thread(), id, signal);
        if (!loaded) return;
        const { page, ...further } = loaded;
        store.posts.putPage(page);
        flushSync(() => update((shown, discussion) => withBranchPage(shown, discussion, id, further)));
        windowed
          .bringIn(further.branches[0]?.id ?? '')
          ?.querySelector('article')
          ?.focus({ preventScroll: true });
      } catch (error) {
        if (!signal.aborted) showToast(explainError(error));
      } finally {
        setBusy(null);
      }
    },

    /** Goes to the next of these new replies, in the order of the page. */
    nextOf(ids: readonly string[]): void {
      flushSync(arrivals.placeAll);
      const { rows } = thread();
      const focused = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
      const at = rows.findIndex((row) => row.id === focused);
      const wanted = new Set(ids);
      const shown = rows.filter((row) => wanted.has(row.id));
      const next = shown.find((row) => rows.indexOf(row) > at)?.id ?? shown[0]?.id ?? ids[0];
      if (next === undefined) return;
      update((now) => withSeen(now, [next]));
      reveal(next, 'center');
    },

    stop(): void {
      leaving.abort();
      for (const stop of stopParts) stop();
    },
  };
}
