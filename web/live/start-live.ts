import { readEvents } from '#contract/events.ts';
import { unreadAnswers } from '../answers/unread-answers.ts';
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
    poll: (query, signal) => call(readEvents, { query, headers: {}, signal }),
    hear(changes) {
      store.hear(changes, person ?? null, isBusy);
      if (changes.unread !== undefined && unreadAnswers.hear(changes.unread)) store.doubtAnswers();
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

  /** Undefined until it is known for the first time. */
  let person: string | null | undefined;
  const meet = () => {
    const state = session.state();
    if (state.is === 'authorizing') return;
    const before = person;
    person = state.is === 'authorized' ? state.user.id : null;
    // The server's HTML is a visitor's: what somebody likes is not in it.
    if (person === (before ?? null)) return;
    if (before !== undefined) {
      unreadAnswers.hear(0);
      connection.restart();
    }
    store.doubtAll();
    review();
  };

  const look = () => {
    if (document.hidden || !navigator.onLine) return connection.sleep();
    connection.wake();
    reviewNow();
  };

  const lookAgain = () => {
    // As many unread as before may be others: some read elsewhere, some new.
    store.doubtAnswers();
    look();
  };

  follow();
  meet();
  look();
  screen.subscribe(follow);
  session.subscribe(meet);
  document.addEventListener('visibilitychange', lookAgain);
  addEventListener('online', lookAgain);
  addEventListener('offline', look);
}
