import { createFeedLine } from '../posts/list/feed-line.tsx';
import { idOf } from '../posts/list/posts-on-screen.ts';
import type { PostListId, PostStore } from '../posts/store/post-store.ts';
import { createReading, type Reading, reading } from '../reading/reading.ts';
import type { ReadingList } from '../reading/report-reading.ts';
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

/** Records how far the reader has read what is on screen. */
export function startReading({ store, session, screen }: ReadingOptions): Reading {
  const mine = createReading();
  const line = createFeedLine({ store, reading: mine, shownList: screen.list });
  const { lookSoon } = watchRead({
    cards: () => [...document.querySelectorAll('main article')].map((card) => [idOf(card) ?? '', card]),
    onLook: line.look,
    onRead(ids) {
      const list = listOnScreen();
      // The place of a deleted reply has no id.
      const posts = ids.filter(Boolean);
      if (list !== null && posts.length > 0) mine.read(list, posts);
    },
  });

  function listOnScreen(): ReadingList | null {
    const id = screen.list();
    const source = id === null ? undefined : store.list(id)?.source;
    if (source?.kind === 'feed') return 'feed';
    if (source?.kind !== 'thread') return null;
    return `thread:${store.post(source.postId)?.actions.parent_post_id ?? source.postId}`;
  }

  const meet = () => {
    mine.meet(session.state.get());
    line.follow();
  };
  const follow = () => {
    line.follow();
    lookSoon();
  };
  meet();
  reading.set(mine);
  session.state.subscribe(meet);
  screen.subscribe(follow);
  store.content.subscribe(lookSoon);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) line.follow();
  });
  return mine;
}
