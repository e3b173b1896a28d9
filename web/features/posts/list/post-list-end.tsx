import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { limits } from '#contract/limits.ts';
import { explainError } from '../../../lib/explain-error.ts';
import { listen, watchNear } from '../../../lib/watch.ts';
import { Button } from '../../../ui/button.tsx';
import { PostCardSkeleton } from '../card/post-card-skeleton.tsx';
import { fetchPostPage } from '../store/fetch-post-page.ts';
import type { PostList, PostListSource } from '../store/post-list-state.ts';
import type { PostListId } from '../store/post-store.ts';
import { usePostList, usePostStore } from '../store/use-posts.ts';
import styles from './post-list.module.css';

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
      const page = await fetchPostPage(source, { page: pages + 1, cursor: next, signal });
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
    // The end is a new element after each page and after a jump to another place in the list.
  }, [waiting, failed, list.pages, list.above?.from, end]);

  useEffect(() => (failed ? listen(window, ['online'], () => void loadLatest()) : undefined), [failed]);

  return load;
}

/** The part below the last post: a skeleton, an error, a button for more posts, or nothing at the end of the list. */
export function PostListEnd({ list, onMore }: { list: PostList; onMore: () => void }) {
  if (list.loading) {
    return (
      <>
        <PostCardSkeleton />
        <PostCardSkeleton />
        <PostCardSkeleton />
      </>
    );
  }
  if (list.failure !== null) {
    return (
      <div className={styles.end} role="alert">
        <p className={styles.failure}>{list.failure}</p>
        <Button onClick={onMore}>Повторить</Button>
      </div>
    );
  }
  if (list.next === null) return null;
  return (
    <div className={styles.end}>
      <div className={styles.more}>
        <Button onClick={onMore}>Показать ещё</Button>
      </div>
      <noscript>
        {/* Only the server renders the link, because React never renders the content of <noscript> in the browser. */}
        {import.meta.env.SSR && (
          <a className={styles.next} href={nextHref(list.source, list.next)} rel="next">
            Дальше
          </a>
        )}
      </noscript>
    </div>
  );
}

function nextHref(source: PostListSource, cursor: string): string {
  const query = 'q' in source ? { q: source.q, cursor } : { cursor };
  return `?${new URLSearchParams(query).toString()}`;
}
