import { useEffect, useState } from 'react';
import { getPost, type Post } from '#contract/posts.ts';
import { call } from '../lib/api.ts';
import { usePostStore } from './post-store-context.ts';
import { usePost } from './use-post.ts';

/** A post that may stand further down than what was loaded. Seen once, it stays here, even when it is deleted meanwhile. */
export function useFetchedPost(id: string) {
  const store = usePostStore();
  const current = usePost(id);
  const [last, setLast] = useState<Post>();
  const [failure, setFailure] = useState<unknown>(null);
  if (current && current !== last) setLast(current);
  const isUnknown = !current && !last;

  useEffect(() => {
    if (!isUnknown) return undefined;
    const stay = new AbortController();
    call(getPost, { params: { id }, signal: stay.signal }).then(store.keepPost, (error: unknown) => {
      if (!stay.signal.aborted) setFailure(error);
    });
    return () => stay.abort();
  }, [isUnknown, id, store]);

  return { post: current ?? last, failure };
}
