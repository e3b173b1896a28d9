import { useCallback, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { usePostStore } from './post-store-context.ts';
import type { PostListId } from './post-store.ts';
import { windowedPosts } from './windowing.ts';

/**
 * How many posts of a list stand in plain flow: the first page, and what comes on top of it later. So windowed posts
 * keep their places, by which they are measured. What came when nothing could be windowed stays as it stands.
 */
export function usePlainPosts(listId: PostListId, ids: readonly string[]) {
  const store = usePostStore();
  const [last, setLast] = useState(() => store.heights(listId)?.after);

  let plain = last === undefined ? -1 : ids.indexOf(last);
  if (windowedPosts.here() === undefined) plain = ids.length - 1;
  else if (plain === -1) plain = Math.min(limits.pageSize, ids.length) - 1;
  if (ids[plain] !== last) setLast(ids[plain]);
  return {
    /** As far as its code has come. */
    WindowedPosts: windowedPosts.here(),
    count: plain + 1,
    last: ids[plain],
    /** Begins with the first page again, where nobody sees it. */
    reset: useCallback(() => setLast(undefined), []),
  };
}
