import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { explainError } from '../lib/api-error.ts';
import { useMutedAuthors } from '../mutes/mutes-context.ts';
import { announce } from '../ui/announce.ts';
import { limitFor } from './fetch-post-page.ts';
import { usePostStore } from './post-store-context.ts';
import type { PostListId } from './post-store.ts';
import { usePostList } from './use-post-list.ts';
import { fetchPageToWindow } from './windowing.ts';

/** How many posts wait over a list, muted authors' left out where they stand as quiet lines, and how to show them: with the list's first page, read now. */
export function useFreshPosts(listId: PostListId) {
  const store = usePostStore();
  const { source, fresh, ids, next } = usePostList(listId);
  const muted = useMutedAuthors();
  const told = source.kind === 'user' ? fresh : fresh.filter(({ ownerId }) => !muted.has(ownerId));
  const [state, setState] = useState<'waiting' | 'busy' | 'failed'>('waiting');
  const stay = useRef<AbortController>(null);

  useEffect(() => {
    const controller = new AbortController();
    stay.current = controller;
    return () => controller.abort();
  }, [listId]);

  /** Resolves to whether they are shown. */
  const show = async (): Promise<boolean> => {
    const signal = stay.current?.signal;
    if (!signal) return false;
    setState('busy');
    try {
      const page = await fetchPageToWindow(source, { page: 1, cursor: null, limit: limitFor(fresh.length), signal });
      setState('waiting');
      flushSync(() => store.showNewest(listId, page));
      return true;
    } catch (error) {
      // The reader went away.
      if (signal.aborted) return false;
      setState('failed');
      announce(explainError(error));
      return false;
    }
  };

  return { count: told.length, isEmpty: ids.length === 0 && next === null, state, show };
}
