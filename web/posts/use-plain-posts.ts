import { useCallback, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { usePostStore } from './post-store-context.ts';
import type { PostListId } from './post-store.ts';

/**
 * How many posts of a list stand in plain flow: the first page, and what comes on top of it later. So windowed posts
 * keep their places, by which they are measured.
 */
export function usePlainPosts(listId: PostListId, ids: readonly string[]) {
  const store = usePostStore();
  const [last, setLast] = useState(() => store.heights(listId)?.after);

  let plain = last === undefined ? -1 : ids.indexOf(last);
  if (plain === -1) {
    plain = Math.min(limits.pageSize, ids.length) - 1;
    if (ids[plain] !== last) setLast(ids[plain]);
  }
  return {
    count: plain + 1,
    last: ids[plain],
    /** Begins with the first page again, where nobody sees it. */
    reset: useCallback(() => setLast(undefined), []),
  };
}
