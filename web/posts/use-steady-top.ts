import { type RefObject, useLayoutEffect, useRef } from 'react';
import { usePostStore } from './post-store-context.ts';
import type { PostListId } from './post-store.ts';

/**
 * A post that comes or goes above what one reads does not move that: the window scrolls along. Browsers see to it by
 * themselves in plain flow, some of them, but not among windowed posts.
 */
export function useSteadyTop(box: RefObject<HTMLElement | null>, listId: PostListId): void {
  const store = usePostStore();
  const shownIds = useRef(store.list(listId)?.ids);
  const topBefore = useRef<number>(null);

  useLayoutEffect(
    () =>
      // Told before anything is rendered anew.
      store.subscribe(() => {
        if (store.list(listId)?.ids === shownIds.current) return;
        topBefore.current ??= box.current?.getBoundingClientRect().top ?? null;
      }),
    [store, listId, box],
  );

  useLayoutEffect(() => {
    const before = topBefore.current;
    shownIds.current = store.list(listId)?.ids;
    topBefore.current = null;
    // Above the window's edge it is what one reads, below it what one has yet to come to.
    if (before === null || before > 0 || !box.current) return;
    const moved = box.current.getBoundingClientRect().top - before;
    if (moved !== 0) scrollBy(0, moved);
  });
}
