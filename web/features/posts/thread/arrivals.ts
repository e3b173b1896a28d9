import type { Thread as ThreadResponse } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { isNotFound } from '../../../lib/explain-error.ts';
import { onWindowMoved } from '../../../lib/watch.ts';
import { limitFor, threadPage } from '../store/fetch-post-page.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import { watchRead } from '../../reading/watch-read.ts';
import { cardsOnScreen } from '../list/posts-on-screen.ts';
import { type NewReply, type Thread, withReply } from '../store/thread-tree.ts';
import { withLoaded, withoutUnloaded, withPlaced, withSeen } from '../store/thread-updates.ts';

interface ArrivalsOptions {
  store: PostStore;
  listId: PostListId;
  /** The row of a post if it is in the document. */
  rowOf: (id: string) => HTMLElement | null;
}

/** Replies that arrive within this time are loaded together. */
const gatherMs = 300;
/** The pause between two rounds of requests, however many replies are written. */
const pauseMs = 1_500;
const afterFailureMs = 5_000;
/** The number of concurrent requests, each for the replies to one post. */
const requestsAtOnce = 3;
const newerMeanwhile = 5;

/** Loads the replies that events report, and puts them at their places without moving what is on the screen. */
export function createArrivals({ store, listId, rowOf }: ArrivalsOptions) {
  const leaving = new AbortController();
  const { signal } = leaving;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;

  const thread = (): Thread | undefined => store.list(listId)?.thread;

  function schedule(ms: number): void {
    if (isLoading || timer !== undefined || signal.aborted || thread()?.unloaded.length === 0) return;
    timer = setTimeout(() => void load(), ms);
  }

  async function load(): Promise<void> {
    timer = undefined;
    isLoading = true;
    const unloaded = thread()?.unloaded ?? [];
    const parents = [...new Set(unloaded.map(({ parent }) => parent))].slice(0, requestsAtOnce);
    const results = await Promise.allSettled(
      parents.map((parent) =>
        loadRepliesTo(
          parent,
          unloaded.filter((reply) => reply.parent === parent),
        ),
      ),
    );
    isLoading = false;
    if (signal.aborted) return;
    place();
    schedule(results.some(({ status }) => status === 'rejected') ? afterFailureMs : pauseMs);
  }

  async function loadRepliesTo(parent: string, expected: readonly NewReply[]): Promise<void> {
    // A rounded limit makes the requests of all readers equal. The response may contain newer replies than the expected ones.
    const limit = String(limitFor(expected.length + newerMeanwhile));
    const oldest = Math.min(...expected.map(({ id }) => Number(id)));
    const received = new Set<string>();
    let cursor: string | null = null;
    try {
      do {
        const query = { order: 'newest', limit, ...(cursor !== null && { cursor }) } as const;
        const response: ThreadResponse = await call('GET /posts/{id}/thread', {
          params: { id: parent },
          query,
          signal,
        });
        const page = threadPage(response, parent, 'newest');
        for (const { id } of page.posts) received.add(id);
        store.posts.putPage(page);
        // If so many newer replies came that the page does not reach the expected ones, the next page is loaded.
        cursor = Number(response.replies.at(-1)?.id) > oldest ? response.next : null;
      } while (cursor !== null);
      const isReceived = ({ id }: NewReply) => received.has(id);
      const found = (thread()?.unloaded ?? []).filter(isReceived).map(({ id }) => id);
      store.update(listId, (list) => withLoaded(list, list.thread!, found));
      forget(expected.filter((reply) => !isReceived(reply)));
    } catch (error) {
      if (!isNotFound(error)) throw error;
      forget(expected);
    }
  }

  function forget(replies: readonly NewReply[]): void {
    const ids = replies.map(({ id }) => id);
    if (ids.length > 0) store.update(listId, (list) => withoutUnloaded(list, list.thread!, ids));
  }

  /** Whether a reply can be added without moving the rows on the screen. */
  function hasRoom(shown: Thread, { id, parent }: NewReply): boolean {
    const rows = withReply(shown, id, parent).rows;
    const below = rows[rows.findIndex((row) => row.id === id) + 1];
    const row = below && rowOf(below.id);
    if (!row || rows.length === shown.rows.length) return true;
    const top = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
    const box = row.getBoundingClientRect();
    return box.top < top || box.top >= innerHeight;
  }

  function place(): void {
    for (const reply of thread()?.waiting ?? []) {
      const shown = thread();
      if (!shown?.nodes.has(reply.parent) || !hasRoom(shown, reply)) continue;
      store.update(listId, (list) => withPlaced(list, list.thread!, reply));
    }
  }

  function noteRead(ids: string[]): void {
    const isFresh = store.list(listId)?.fresh.some(({ id }) => ids.includes(id));
    if (isFresh) store.update(listId, (list) => withSeen(list, ids));
  }

  return {
    /** Puts the waiting replies at their places because the reader has asked for them. */
    placeAll(): void {
      for (const reply of thread()?.waiting ?? []) {
        store.update(listId, (list) => withPlaced(list, list.thread!, reply));
      }
    },

    start(): () => void {
      const reading = watchRead({ cards: cardsOnScreen, edge: 0, onRead: noteRead });
      const stopHearing = store.content.subscribe(() => {
        reading.lookSoon();
        schedule(gatherMs);
        if (thread()?.waiting.length) queueMicrotask(() => !signal.aborted && place());
      });
      const stopPlacing = onWindowMoved(() => {
        if (thread()?.waiting.length) place();
      });
      schedule(gatherMs);
      return () => {
        leaving.abort();
        clearTimeout(timer);
        reading.stop();
        stopHearing();
        stopPlacing();
      };
    },
  };
}
