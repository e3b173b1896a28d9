import { useState } from 'react';
import { flushSync } from 'react-dom';
import { limits } from '#contract/limits.ts';
import { explainError } from '../../../lib/api-error.ts';
import { shortCount } from '../../../lib/counts.ts';
import { useObservable } from '../../../lib/observable.ts';
import { showLiveMessage } from '../../../ui/live-message.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import { createStoreUpdates } from '../store/store-updates.ts';
import { usePostList, usePostStore } from '../store/use-posts.ts';
import { fetchPageAt, fetchPageBefore } from './feed-line.tsx';
import { NewPill, type PillState } from './new-pill.tsx';
import { canScrollToPost, scrollToPost } from './posts-on-screen.ts';
import { lineIn, newerThan, type Stop, stop } from './stop.ts';
import { windowedPosts } from './windowing.ts';

/** Goes to the place where the reader stopped. Shown until they have come there. */
export function StopPill({ list: listId }: { list: PostListId }) {
  const store = usePostStore();
  const list = usePostList(listId);
  const shown = useObservable(stop);
  const [state, setState] = useState<PillState>('waiting');

  if (shown?.list !== listId || !shown.isAhead) return null;
  const newer = newerThan(list, shown);
  // The number is being asked for.
  if (newer === null && shown.page === undefined) return null;

  const go = async () => {
    setState('busy');
    try {
      await goTo(shown, store);
      setState('waiting');
    } catch (error) {
      setState('failed');
      showLiveMessage(explainError(error));
    }
  };
  const label = 'К месту, где остановились';
  return (
    <NewPill
      label={newer === null ? label : `${label}: ${shortCount(newer)}`}
      shortcut="U"
      variant="quiet"
      state={state}
      onClick={() => void go()}
    />
  );
}

/** The distance from the header to the card, which leaves room for the line. */
const roomForLine = 16;
/** How many frames the post may take to appear. */
const mostFrames = 60;

async function goTo({ list: listId, post, page, pageAt = 0 }: Stop, store: PostStore): Promise<void> {
  const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart) || 0;
  const top = covered + roomForLine;
  const now = store.list(listId)!;
  let line = lineIn(now, post);
  // The list may end too soon below the line: its next page is not there yet.
  if (line === undefined || (now.next !== null && !canScrollToPost(line, top))) {
    // The posts of an older page may have changed.
    const recent = Date.now() - pageAt <= limits.requestTimeoutMs ? page : null;
    const [shown] = await Promise.all([recent ?? fetchPageAt(post), windowedPosts.load().catch(() => {})]);
    // Without posts above it the first one could not be scrolled below the header.
    const newer = shown.previous === null ? null : await fetchPageBefore(shown.previous);
    // The reader has left the feed.
    if (stop.get()?.list !== listId) return;
    flushSync(() => {
      const updates = createStoreUpdates(store);
      updates.showPlace(listId, shown, post);
      line = store.list(listId)?.ids[0];
      if (newer) updates.addNewer(listId, newer);
    });
  }
  const list = store.list(listId);
  if (!list || line === undefined) return;
  scrollToPost(line, top);
  focusWhenShown((list.above?.count ?? 0) + list.ids.indexOf(line) + 1, mostFrames);
}

/** A windowed list that has just been replaced needs some frames to render the post. */
function focusWhenShown(position: number, frames: number): void {
  const card = document.querySelector<HTMLElement>(`[role=feed] article[aria-posinset="${position}"]`);
  card?.focus({ preventScroll: true });
  // A row that has not been measured yet is invisible and takes no focus.
  const hasFocus = card !== null && document.activeElement === card;
  if (!hasFocus && frames > 0) requestAnimationFrame(() => focusWhenShown(position, frames - 1));
}
