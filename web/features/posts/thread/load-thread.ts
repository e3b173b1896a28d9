import { flushSync } from 'react-dom';
import type { CallEndpoint } from '#contract/calls.ts';
import { call } from '../../../lib/api.ts';
import { explainError } from '../../../lib/explain-error.ts';
import { showToast } from '../../../lib/toasts.ts';
import { fetchPostPage } from '../store/fetch-post-page.ts';
import { openedList, type PostList } from '../store/post-list-state.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import type { Thread, ThreadOrder } from '../store/thread-tree.ts';
import { withBranchPage, withOrder } from '../store/thread-updates.ts';
import { loadBranch } from './load-branch.ts';
import { nextNew } from './next-new.ts';
import { storeOrder } from './thread-order.ts';

/** Maximum number of replies that are loaded for printing, for the browser's search and on the way to the last reply. */
const wholeUpTo = 500;
/** Maximum number of requests for the next new reply at one press of the button. */
const mostLoads = 3;

interface ThreadLoaderOptions {
  store: PostStore;
  listId: PostListId;
  signal: AbortSignal;
  /** Called with the post whose further replies are being loaded. */
  setBusy: (id: string | null) => void;
}

/** Loads further replies of a discussion, or its beginning in another order. */
export function createThreadLoader({ store, listId, signal, setBusy }: ThreadLoaderOptions) {
  const list = (): PostList => store.list(listId)!;
  const thread = (): Thread => list().thread!;
  const update = (change: (shown: PostList, discussion: Thread) => PostList): void =>
    store.update(listId, (shown) => change(shown, shown.thread!));
  let reordering: AbortController | null = null;
  let loadingWhole: Promise<void> | null = null;

  /** Loads further replies to a post. Returns the first of them. */
  async function loadMore(id: string, by: CallEndpoint = call): Promise<string | undefined> {
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

  async function loadPage(by: CallEndpoint = call): Promise<void> {
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

  /** Loads the discussion, up to a bound. A printed page says how many replies are missing, also those that failed to load. */
  async function loadWholeBy(by: CallEndpoint): Promise<void> {
    try {
      while (thread().rows.length < wholeUpTo && (await loadFurther(by)));
    } catch {}
  }

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

  return {
    loadMore,
    loadWholeBy,
    reorder,

    loadWhole(): Promise<void> {
      loadingWhole ??= loadWholeBy(call).finally(() => (loadingWhole = null));
      return loadingWhole;
    },

    /** Loads what may contain a new reply until it is found. `after` is the post with the focus. */
    async findNext(wantedNow: () => string[], after: string | undefined): Promise<string | null> {
      for (let loads = 0; ; loads += 1) {
        const wanted = new Set(wantedNow());
        const isEnough = loads === mostLoads;
        const next = nextNew(thread(), { after, wanted, hasPages: list().next !== null, isEnough });
        if (next === null || next.is === 'reply') return next?.id ?? null;
        if (next.is === 'branch') await loadMore(next.id);
        else await loadPage();
      }
    },
  };
}
