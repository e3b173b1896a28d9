import { readEvents } from '#contract/events.ts';
import type { Session } from '../auth/session.ts';
import { call } from '../lib/api.ts';
import type { PostListId, PostStore } from '../posts/post-store.ts';
import { openEventStream } from './event-stream.ts';
import { createLiveConnection } from './live-connection.ts';
import { createReview } from './review.ts';

interface LiveOptions {
  /** How far in the wall's changes the first page goes. */
  position: string;
  store: PostStore;
  session: Session;
  screen: {
    subscribe: (listener: () => void) => void;
    /** The list on it. */
    list: () => PostListId | null;
  };
  /** Whether a like of one's own is on its way to this post. */
  isBusy: (postId: string) => boolean;
}

/** Keeps what is shown true while somebody looks at it. */
export function startLive({ position, store, session, screen, isBusy }: LiveOptions): void {
  const { review, reviewNow } = createReview({ store, shownList: screen.list, isBusy });
  const connection = createLiveConnection({
    position,
    openStream: 'EventSource' in window ? openEventStream : null,
    poll: (query, signal) => call(readEvents, { query, signal }),
    hear(changes) {
      store.hear(changes, person, isBusy);
      review();
    },
  });

  let shown: PostListId | null = null;
  const follow = () => {
    const list = screen.list();
    if (list === null || list === shown) return;
    // Of replies to a post that is no longer shown nobody tells.
    if (shown !== null && threadOf(shown) !== null) store.doubt(shown);
    shown = list;
    connection.watch(threadOf(list));
    review();
  };
  const threadOf = (list: PostListId): string | null => {
    const source = store.list(list)?.source;
    return source?.kind === 'replies' ? source.postId : null;
  };

  // The server's HTML is a visitor's: what somebody likes is not in it.
  let person: string | null = null;
  const meet = () => {
    const state = session.state();
    const now = state.is === 'authorized' ? state.user.id : null;
    if (state.is === 'authorizing' || now === person) return;
    person = now;
    store.doubtAll();
    review();
  };

  const look = () => {
    if (document.hidden || !navigator.onLine) return connection.sleep();
    connection.wake();
    reviewNow();
  };

  follow();
  meet();
  look();
  screen.subscribe(follow);
  session.subscribe(meet);
  document.addEventListener('visibilitychange', look);
  addEventListener('online', look);
  addEventListener('offline', look);
}
