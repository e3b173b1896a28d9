import { ApiError } from '#client/api-error.ts';
import { call } from '../../lib/api.ts';
import { createFeedLine } from '../posts/list/feed-line.tsx';
import { cardsOnScreen, leaveDeleted } from '../posts/list/posts-on-screen.ts';
import type { PostListId, PostStore } from '../posts/store/post-store.ts';
import { createStoreUpdates } from '../posts/store/store-updates.ts';
import { unreadNotifications } from '../posts/store/viewer-counts.ts';
import { createThreadVisits, threadRoot } from '../posts/thread/thread-visits.ts';
import { createReadingPositions, type ReadingPositions } from '../reading/reading.ts';
import { watchRead } from '../reading/watch-read.ts';
import type { Session } from '../session/session.ts';
import { createLiveConnection, openEventStream } from './live-connection.ts';
import { createRefresh } from './refresh.ts';

interface ReadingOptions {
  store: PostStore;
  session: Session;
  screen: {
    subscribe: (listener: () => void) => void;
    list: () => PostListId | null;
  };
}

/** Records how far the reader has read the feed and the discussions, and shows where they stopped. */
function startReading({ store, session, screen }: ReadingOptions): ReadingPositions {
  const reading = createReadingPositions();
  const line = createFeedLine({ store, reading, shownList: screen.list });
  const threads = createThreadVisits({ store, reading, shownList: screen.list });
  const { lookSoon } = watchRead({
    cards: cardsOnScreen,
    edge: 0.25,
    onLook: line.look,
    onRead(ids) {
      // The row of a deleted reply has no id.
      const posts = ids.filter(Boolean);
      const thread = threads.shownThread();
      if (posts.length === 0) return;
      if (thread) threads.read(thread, posts);
      else if (line.isShown()) reading.read('feed', posts);
    },
  });

  const screenChanged = () => {
    line.findVisit();
    threads.findVisit();
    lookSoon();
  };
  const sessionChanged = () => {
    reading.sessionChanged(session.state.get());
    screenChanged();
  };
  sessionChanged();
  session.state.subscribe(sessionChanged);
  screen.subscribe(screenChanged);
  store.content.subscribe(lookSoon);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) line.findVisit();
  });
  return reading;
}

interface LiveOptions {
  /** Visitors get no events. */
  isClosed: boolean;
  /** The first page is made for the person who is signed in. */
  isOwn: boolean;
  /** The position in the change log up to which the first page is current. */
  position: string;
  store: PostStore;
  session: Session;
  screen: {
    subscribe: (listener: () => void) => void;
    /** The list on screen. */
    list: () => PostListId | null;
  };
  /** Whether a like of this post is being sent. */
  isBusy: (postId: string) => boolean;
}

/** Updates what is on screen while the page is visible. */
export function startLive({ isClosed, isOwn, position, store, session, screen, isBusy }: LiveOptions): void {
  const updates = createStoreUpdates(store);
  const { refresh, refreshNow } = createRefresh({ store, updates, shownList: screen.list, isBusy });
  const reading = startReading({ store, session, screen });
  const connection = createLiveConnection({
    position,
    openStream: openEventStream,
    poll: (query, signal) =>
      call('GET /events', { query, headers: {}, signal }).catch((error: unknown) => {
        // The wall was closed to visitors. The reloaded page has no content and leads to the sign-in.
        if (person === null && error instanceof ApiError && error.code === 'UNAUTHORIZED') location.reload();
        throw error;
      }),
    onChanges(changes) {
      leaveDeleted(changes.deleted);
      updates.applyChanges(changes, person ?? null, isBusy);
      const { unread } = changes;
      if (unread !== undefined) {
        if (unread !== unreadNotifications.get()) {
          updates.markUnreadStale();
          if (knowsUnread) updates.markRightColumnStale();
        }
        unreadNotifications.set(unread);
        knowsUnread = true;
      }
      reading.receive(changes.reading ?? []);
      refresh();
    },
  });

  let shown: PostListId | null = null;
  const screenChanged = () => {
    const list = screen.list();
    if (list === null || list === shown) return;
    // While another page is on screen, no events report the replies below the previous root.
    if (shown !== null && threadOf(shown) !== null) updates.markStale(shown);
    shown = list;
    connection.watch(threadOf(list));
    refresh();
  };
  /** Events report all replies below the root. */
  const threadOf = (list: PostListId): string | null => threadRoot(store, list);

  /** The id of the signed-in person, null for a visitor, undefined until it is known. */
  let person: string | null | undefined;
  /**
   * Whether an event has already given the number of unread notifications. The first event gives the number at the time of loading, so it
   * does not make the right column stale.
   */
  let knowsUnread = false;
  const sessionChanged = () => {
    const state = session.state.get();
    if (state.is === 'authorizing') return;
    const before = person;
    person = state.is === 'authorized' ? state.user.id : null;
    if (person === (before ?? null)) return;
    knowsUnread = false;
    if (before !== undefined) {
      unreadNotifications.set(0);
      connection.restart();
    }
    // A page that was made for visitors does not say which posts the person likes, so its lists are loaded again.
    if (before !== undefined || !isOwn) updates.markAllStale();
    refresh();
    if (isClosed) look();
  };

  const look = () => {
    if (document.hidden || !navigator.onLine || (isClosed && !person)) return connection.sleep();
    connection.wake();
    refreshNow();
  };

  const lookAgain = () => {
    // The number of unread notifications may be the same although some were read on another device and others are new.
    updates.markUnreadStale();
    updates.markRightColumnStale();
    look();
  };

  screenChanged();
  sessionChanged();
  look();
  screen.subscribe(screenChanged);
  session.state.subscribe(sessionChanged);
  document.addEventListener('visibilitychange', lookAgain);
  addEventListener('online', lookAgain);
  addEventListener('offline', look);
}
