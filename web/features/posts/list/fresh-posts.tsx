import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { shortCount } from '../../../lib/counts.ts';
import { showLiveMessage } from '../../../ui/live-message.ts';
import { NewPill, type PillState } from './new-pill.tsx';
import type { PostListId } from '../store/post-store.ts';
import { flushSync } from 'react-dom';
import { explainError } from '../../../lib/api-error.ts';
import { useMutedAuthors } from '../../mutes/mutes.ts';
import { limitFor } from '../store/fetch-post-page.ts';
import { createStoreUpdates } from '../store/store-updates.ts';
import { usePostList, usePostStore } from '../store/use-posts.ts';
import { fetchPageToWindow } from './windowing.ts';

interface FreshPostsProps {
  list: PostListId;
  onShown: () => void;
}

/**
 * A button that shows the waiting posts. It takes no space, so nothing moves when it appears. An empty list shows the posts
 * without being asked.
 */
export function FreshPosts({ list, onShown }: FreshPostsProps) {
  const { count, isEmpty, state, show } = useFreshPosts(list);
  const isThere = count > 0;
  const label = `Показать новые: ${shortCount(count)}`;

  const appear = useEffectEvent(async () => {
    if (await show()) showLiveMessage(`Появились новые: ${shortCount(count)}`);
  });
  const appears = isThere && isEmpty;
  useEffect(() => {
    if (appears) void appear();
  }, [appears, count]);

  if (!isThere || (isEmpty && state !== 'failed')) return null;

  const showThem = async () => {
    if (await show()) onShown();
  };
  return <NewPill label={label} state={state} onClick={() => void showThem()} />;
}

/**
 * The number of waiting posts, without muted authors where their posts are quiet lines, and a function that loads the
 * list's first page and shows them.
 */
function useFreshPosts(listId: PostListId) {
  const store = usePostStore();
  const { source, fresh, ids, next } = usePostList(listId);
  const muted = useMutedAuthors();
  const counted = 'userId' in source ? fresh : fresh.filter(({ ownerId }) => !muted.has(ownerId));
  const [state, setState] = useState<PillState>('waiting');
  const stay = useRef<AbortController>(null);

  useEffect(() => {
    const controller = new AbortController();
    stay.current = controller;
    return () => controller.abort();
  }, [listId]);

  /** Resolves to whether the posts are shown. */
  const show = async (): Promise<boolean> => {
    const signal = stay.current?.signal;
    if (!signal) return false;
    setState('busy');
    try {
      const page = await fetchPageToWindow(source, { page: 1, cursor: null, limit: limitFor(fresh.length), signal });
      setState('waiting');
      flushSync(() => createStoreUpdates(store).showNewest(listId, page));
      return true;
    } catch (error) {
      // The reader has left the list.
      if (signal.aborted) return false;
      setState('failed');
      showLiveMessage(explainError(error));
      return false;
    }
  };

  return { count: counted.length, isEmpty: ids.length === 0 && next === null, state, show };
}
