import { limits } from '#contract/limits.ts';
import { isNotFound } from '../../lib/explain-error.ts';
import { fetchPostPage, limitFor } from '../posts/store/fetch-post-page.ts';
import type { PostListId, PostStore } from '../posts/store/post-store.ts';
import type { StoreUpdates } from '../posts/store/store-updates.ts';

interface RefreshOptions {
  store: PostStore;
  updates: StoreUpdates;
  /** The list on screen. */
  shownList: () => PostListId | null;
  isBusy: (postId: string) => boolean;
}

/** Loads the list on screen again when it may have changed without an event. Nothing shows that it is loading. */
export function createRefresh({ store, updates, shownList, isBusy }: RefreshOptions) {
  let running = false;
  let rest: ReturnType<typeof setTimeout> | undefined;

  async function refresh(): Promise<void> {
    const id = shownList();
    if (running || rest !== undefined || id === null || !store.list(id)?.stale) return;
    running = true;
    try {
      await readAnew(id);
    } catch {
      updates.markStale(id);
      rest = setTimeout(refreshNow, limits.pollMs);
    }
    running = false;
    // Meanwhile the list may be stale again, or another list may be on screen.
    await refresh();
  }

  /** Loads the list without waiting for the end of the pause after a failure. */
  function refreshNow(): void {
    clearTimeout(rest);
    rest = undefined;
    void refresh();
  }

  async function readAnew(id: PostListId): Promise<void> {
    const before = updates.beginRefresh(id, isBusy);
    const { source, ids } = store.list(id)!;
    const signal = AbortSignal.timeout(limits.requestTimeoutMs);
    try {
      const page = await fetchPostPage(source, { page: 1, cursor: null, limit: limitFor(ids.length), signal });
      updates.refreshList(id, page, before);
    } catch (error) {
      if (source.kind !== 'thread' || !isNotFound(error)) throw error;
      store.removePost(source.postId);
    }
  }

  return { refresh: (): void => void refresh(), refreshNow };
}
