import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import { limits } from '#contract/limits.ts';
import { explainError } from '../../../lib/api-error.ts';
import { listen } from '../../../lib/listen.ts';
import { watchNear } from '../../../lib/watch-near.ts';
import { usePostList, usePostStore } from '../store/use-posts.ts';
import type { PostListId } from '../store/post-store.ts';
import { fetchPageToWindow } from './windowing.ts';

/** Loads a list's next page when its end is near, after a failure when the network is back, and on request. */
export function useNextPage(listId: PostListId, end: RefObject<Element | null>): () => Promise<void> {
  const store = usePostStore();
  const list = usePostList(listId);
  const stay = useRef<AbortController>(null);

  const load = async () => {
    const { source, pages, next, loading } = list;
    const signal = stay.current?.signal;
    if (loading || next === null || !signal) return;
    // The list may be replaced meanwhile.
    const isSame = () => store.list(listId)?.next === next;
    store.beginLoading(listId);
    try {
      const page = await fetchPageToWindow(source, { page: pages + 1, cursor: next, signal });
      if (isSame()) store.appendPage(listId, page);
    } catch (error) {
      if (isSame()) store.endLoading(listId, signal.aborted ? null : explainError(error));
    }
  };
  const loadLatest = useEffectEvent(load);

  useEffect(() => {
    const controller = new AbortController();
    stay.current = controller;
    return () => controller.abort();
  }, [listId]);

  const waiting = !list.loading && list.next !== null;
  const failed = list.failure !== null;

  useEffect(() => {
    if (!waiting || failed || !end.current) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopWatching = watchNear(end.current, limits.scrollLoadMargin, (isNear) => {
      clearTimeout(timer);
      if (isNear) timer = setTimeout(() => void loadLatest(), limits.scrollLoadMs);
    });
    return () => {
      clearTimeout(timer);
      stopWatching();
    };
  }, [waiting, failed, list.pages, end]);

  useEffect(() => (failed ? listen(window, ['online'], () => void loadLatest()) : undefined), [failed]);

  return load;
}
