import { useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { explainError } from '../../../lib/api-error.ts';
import { onWindowMoved } from '../../../lib/watch-near.ts';
import { showLiveMessage } from '../../../ui/live-message.ts';
import type { PostListId } from '../store/post-store.ts';
import { createStoreUpdates } from '../store/store-updates.ts';
import { usePostList, usePostStore } from '../store/use-posts.ts';
import { fetchPageBefore } from './feed-line.tsx';
import { NewPill, type PillState } from './new-pill.tsx';

/** The newer posts are loaded when there are fewer than this many windows above. */
const nearWindows = 2;
/** Pause after scrolling before they are added: both at once would be a layout shift. */
const stillMs = 100;
/** A post that is measured shows more posts, which are measured in the next frame. */
const stillFrames = 2;
/** When less than this part of a window is above, they are added without the pause. */
const topPart = 0.5;
/** A request that takes longer is shown. */
const slowMs = 500;

/** Loads the posts above a list that was loaded from a place further down. Shows something only when that takes long. */
export function NewerPosts({ list: listId }: { list: PostListId }) {
  const store = usePostStore();
  const { above } = usePostList(listId);
  const [state, setState] = useState<PillState>('waiting');
  const cursor = above?.cursor ?? null;

  const load = async (before: string, signal: AbortSignal) => {
    const slow = setTimeout(() => setState('busy'), slowMs);
    try {
      const page = await fetchPageBefore(before, signal);
      await whenStill();
      await whenMeasured();
      if (signal.aborted) return;
      flushSync(() => createStoreUpdates(store).addNewer(listId, page));
      setState('waiting');
    } catch (error) {
      if (signal.aborted) return;
      setState('failed');
      showLiveMessage(explainError(error));
    } finally {
      clearTimeout(slow);
    }
  };
  const loadLatest = useEffectEvent(load);

  const isWaiting = state !== 'failed';
  useEffect(() => {
    if (cursor === null || !isWaiting) return undefined;
    const controller = new AbortController();
    let isLoading = false;
    const stopFollowing = onWindowMoved(() => {
      if (isLoading || scrollY > innerHeight * nearWindows) return;
      isLoading = true;
      void loadLatest(cursor, controller.signal);
    });
    return () => {
      controller.abort();
      stopFollowing();
    };
  }, [cursor, isWaiting]);

  if (cursor === null || state === 'waiting') return null;
  return <NewPill label="Более новые записи" state={state} onClick={() => setState('waiting')} />;
}

function whenStill(): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const done = () => {
      clearTimeout(timer);
      removeEventListener('scroll', wait);
      resolve();
    };
    const wait = () => {
      clearTimeout(timer);
      if (scrollY < innerHeight * topPart) done();
      else timer = setTimeout(done, stillMs);
    };
    addEventListener('scroll', wait, { passive: true });
    wait();
  });
}

/**
 * Resolves in a frame without scrolling, when the heights of the posts in the document are known: while posts are added above,
 * virtua keeps the distance to the end of the list, and a post below that is measured then would move what is on the screen.
 */
async function whenMeasured(): Promise<void> {
  const { documentElement: page } = document;
  for (let before = '', frames = 0; frames < stillFrames;) {
    await new Promise(requestAnimationFrame);
    const now = `${page.scrollHeight} ${scrollY}`;
    frames = now === before ? frames + 1 : 0;
    before = now;
  }
}
