import type { ReadingPositions } from '../../reading/reading.ts';
import type { ReadingList } from '../../reading/report-reading.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import { withRead, withVisit } from '../store/thread-updates.ts';

interface ThreadVisitsOptions {
  store: PostStore;
  reading: ReadingPositions;
  /** The list on screen. */
  shownList: () => PostListId | null;
}

/** The root of the discussion on a page; null for other lists. */
export function threadRoot(store: PostStore, list: PostListId | null): string | null {
  const source = list === null ? undefined : store.list(list)?.source;
  if (source?.kind !== 'thread') return null;
  return store.post(source.postId)?.actions.parent_post_id ?? source.postId;
}

/** Finds out what is new in the discussion on screen since the reader's last visit. */
export function createThreadVisits({ store, reading, shownList }: ThreadVisitsOptions) {
  function shownThread(): { id: PostListId; read: ReadingList } | null {
    const id = shownList();
    const root = threadRoot(store, id);
    return id === null || root === null ? null : { id, read: `thread:${root}` };
  }

  async function findVisit(): Promise<void> {
    const [shown, reader] = [shownThread(), reading.reader.get()];
    if (shown === null || reader === null || store.list(shown.id)?.thread?.visit?.reader === reader) return;
    const since = await reading.load(shown.read);
    if (reading.reader.get() !== reader) return;
    store.update(shown.id, (list) => withVisit(list, list.thread!, { since, reader, seen: new Set() }));
  }

  return {
    shownThread,

    /** Called when another screen is shown or another person reads. */
    findVisit: (): void => void findVisit(),

    read({ id, read }: { id: PostListId; read: ReadingList }, posts: readonly string[]): void {
      reading.read(read, posts);
      const list = store.list(id)!;
      if (withRead(list, list.thread!, posts) !== list) store.update(id, (now) => withRead(now, now.thread!, posts));
    },
  };
}
