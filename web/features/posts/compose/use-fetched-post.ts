import { useEffect, useState } from 'react';
import { getPost, type Post } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { usePost, usePostStore } from '../store/use-posts.ts';

/** Loads a post unless the store has it. Keeps the last version after the post is deleted. */
export function useFetchedPost(id: string) {
  const store = usePostStore();
  const current = usePost(id);
  const [last, setLast] = useState<Post>();
  const [failure, setFailure] = useState<unknown>(null);
  if (current && current !== last) setLast(current);
  const isNeeded = !current && !last && failure === null;

  useEffect(() => {
    if (!isNeeded) return undefined;
    const stay = new AbortController();
    call(getPost, { params: { id }, signal: stay.signal }).then(store.keepPost, (error: unknown) => {
      if (!stay.signal.aborted) setFailure(error);
    });
    return () => stay.abort();
  }, [isNeeded, id, store]);

  return { post: current ?? last, isCurrent: current !== undefined, failure, retry: () => setFailure(null) };
}
