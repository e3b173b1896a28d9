import { useLayoutEffect, useRef } from 'react';
import { WindowVirtualizer, type WindowVirtualizerHandle } from 'virtua';
import { PostListItem } from './post-list-item.tsx';
import { usePostStore } from './post-store-context.ts';
import type { PostListId } from './post-store.ts';

interface WindowedPostsProps {
  list: PostListId;
  ids: readonly string[];
  /** How many posts stand above in plain flow. */
  after: number;
  setSize: number;
  place: 'list' | 'thread';
}

/**
 * A guess for posts not yet seen. Without one virtua takes 40 px, and until it has measured a windowful it keeps nothing
 * beyond the window: the keyboard would find no next post.
 */
const usualHeight = 180;

/** Only the posts near the viewport are in the document. */
export function WindowedPosts({ list, ids, after, ...shared }: WindowedPostsProps) {
  const store = usePostStore();
  const virtualizer = useRef<WindowVirtualizerHandle>(null);

  useLayoutEffect(() => {
    const handle = virtualizer.current;
    return () => {
      if (handle) store.keepHeights(list, handle.cache);
    };
  }, [store, list]);

  const heights = store.heights(list);
  return (
    <WindowVirtualizer ref={virtualizer} data={ids} itemSize={usualHeight} {...(heights && { cache: heights })}>
      {(id, index) => <PostListItem key={id} id={id} position={after + index + 1} {...shared} />}
    </WindowVirtualizer>
  );
}
