import { createFeedLine } from '../posts/list/feed-line.tsx';
import { cardsOnScreen } from '../posts/list/posts-on-screen.ts';
import type { PostListId, PostStore } from '../posts/store/post-store.ts';
import { createThreadVisits } from '../posts/thread/thread-visits.ts';
import { createReadingPositions, type ReadingPositions } from '../reading/reading.ts';
import { watchRead } from '../reading/watch-read.ts';
import type { Session } from '../session/session.ts';

interface ReadingOptions {
  store: PostStore;
  session: Session;
  screen: {
    subscribe: (listener: () => void) => void;
    list: () => PostListId | null;
  };
}

/** Records how far the reader has read the feed and the discussions, and shows where they were. */
export function startReading({ store, session, screen }: ReadingOptions): ReadingPositions {
  const reading = createReadingPositions();
  const line = createFeedLine({ store, reading, shownList: screen.list });
  const threads = createThreadVisits({ store, reading, shownList: screen.list });
  const { lookSoon } = watchRead({
    cards: cardsOnScreen,
    edge: 0.25,
    onLook: line.look,
    onRead(ids) {
      // The place of a deleted reply has no id.
      const posts = ids.filter(Boolean);
      const thread = threads.shownThread();
      if (posts.length === 0) return;
      if (thread) threads.read(thread, posts);
      else if (line.isShown()) reading.read('feed', posts);
    },
  });

  const follow = () => {
    line.follow();
    threads.follow();
    lookSoon();
  };
  const meet = () => {
    reading.meet(session.state.get());
    follow();
  };
  meet();
  session.state.subscribe(meet);
  screen.subscribe(follow);
  store.content.subscribe(lookSoon);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) line.follow();
  });
  return reading;
}
