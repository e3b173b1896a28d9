import type { PostPage } from '#contract/posts.ts';
import { limits } from '#contract/limits.ts';
import { call } from '../../../lib/api.ts';
import type { ReadingPositions } from '../../reading/reading.ts';
import { continueVisit, visitLine } from '../../reading/visit.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import { lineAbove } from './post-list-item.tsx';
import { lineIn, newestOf, type StopPoint, stopPoint } from './stop-point.ts';
import styles from './stop-line.module.css';

interface FeedLineOptions {
  store: PostStore;
  reading: ReadingPositions;
  /** The list on screen. */
  shownList: () => PostListId | null;
}

/** The page of the feed that begins with a post or the next older one. */
export const fetchPageAt = (at: string, signal?: AbortSignal): Promise<PostPage> => fetchPart({ at }, signal);

/** The posts of the feed directly above a page. */
export const fetchPageBefore = (before: string, signal?: AbortSignal): Promise<PostPage> =>
  fetchPart({ before }, signal);

const fetchPart = (part: { at: string } | { before: string }, signal?: AbortSignal) =>
  call('GET /posts', { query: { ...part, limit: String(limits.pageSize) }, ...(signal && { signal }) });

/** Finds where the reader stopped in the feed, and draws the line there. */
export function createFeedLine({ store, reading, shownList }: FeedLineOptions) {
  const reached = new Set<PostListId>();

  function shownFeed(): PostListId | null {
    const id = shownList();
    return id !== null && store.list(id)?.source.kind === 'feed' ? id : null;
  }

  function draw(): void {
    const now = stopPoint.get();
    const list = now ? store.list(now.list) : undefined;
    const id = now && list && lineIn(list, now.post);
    if (id !== lineAbove.get()?.id) lineAbove.set(id ? { id, line: <StopLine /> } : null);
  }

  function setStopPoint(next: StopPoint | null): void {
    if (next === null && stopPoint.get() === null) return;
    stopPoint.set(next);
    draw();
  }

  async function findVisit(): Promise<void> {
    const [id, reader] = [shownFeed(), reading.reader.get()];
    if (id === null || reader === null) return setStopPoint(null);
    const furthest = await reading.load('feed');
    const list = store.list(id);
    if (!list || shownFeed() !== id || reading.reader.get() !== reader) return;
    const post = visitLine(reader, furthest);
    const now = stopPoint.get();
    if (post === null) return setStopPoint(null);
    if (now?.list === id && now.post === post) return;
    setStopPoint({ list: id, post, counted: newestOf(list), isAhead: false });
    // Makes the list render its buttons, whose code may have been loaded since.
    store.update(id, (shown) => ({ ...shown }));
    if (lineIn(list, post) === undefined && list.next !== null) void count(id, post);
  }

  async function count(id: PostListId, post: string): Promise<void> {
    const page = await fetchPageAt(post).catch(() => null);
    const now = stopPoint.get();
    if (now?.list !== id || now.post !== post) return;
    // An empty page means that the post and all older ones are deleted.
    setStopPoint(page?.posts.length === 0 ? null : { ...now, page, pageAt: Date.now() });
  }

  store.content.subscribe(draw);

  return {
    /** Whether the feed is on screen. */
    isShown: (): boolean => shownFeed() !== null,

    /** Called when another screen is shown, when another person reads, and when the page becomes visible. */
    findVisit: (): void => void findVisit(),

    /** Called with the posts in the window. */
    look(ids: readonly string[]): void {
      const now = stopPoint.get();
      const reader = reading.reader.get();
      if (shownFeed() !== null && reader !== null) continueVisit(reader);
      if (!now || ids.length === 0) return;
      if (ids.some((id) => Number(id) <= Number(now.post))) reached.add(now.list);
      const isAhead = !reached.has(now.list);
      if (isAhead !== now.isAhead) setStopPoint({ ...now, isAhead });
    },
  };
}

/** A line over the border between two cards. It has no height, so nothing moves when it appears. */
function StopLine() {
  return (
    <div className={styles.place}>
      <div className={styles.line}>
        <span className={styles.text}>Вы остановились здесь</span>
      </div>
    </div>
  );
}
