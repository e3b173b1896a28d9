import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { limits } from '#contract/limits.ts';
import type { Post } from '#contract/posts.ts';
import { explainError } from '../../../lib/explain-error.ts';
import { shortCount } from '../../../lib/counts.ts';
import { useObservable } from '../../../lib/observable.ts';
import { onWindowMoved } from '../../../lib/watch.ts';
import { showLiveMessage } from '../../../ui/live-region.tsx';
import { useHides, useMutedAuthors } from '../../mutes/mutes.ts';
import { fetchPostPage, limitFor } from '../store/fetch-post-page.ts';
import type { FreshPost, PostListSource } from '../store/post-list-state.ts';
import type { PostListId, PostStore } from '../store/post-store.ts';
import { createStoreUpdates } from '../store/store-updates.ts';
import { usePostList, usePostStore } from '../store/use-posts.ts';
import { fetchPageAt, fetchPageBefore } from './feed-line.tsx';
import { NewPill, Pills, type PillState } from './new-pill.tsx';
import { canScrollToPost, focusPost, scrollToPost } from './posts-on-screen.ts';
import { lineIn, newerThan, type StopPoint, stopPoint } from './stop-point.ts';

/** A button that goes to the post where the reader stopped. It is shown until they have reached that post. */
function StopPill({ list: listId }: { list: PostListId }) {
  const store = usePostStore();
  const list = usePostList(listId);
  const shown = useObservable(stopPoint);
  const [state, setState] = useState<PillState>('waiting');

  if (shown?.list !== listId || !shown.isAhead) return null;
  const newer = newerThan(list, shown);
  // The request for the number is running.
  if (newer === null && shown.page === undefined) return null;

  const go = async () => {
    setState('busy');
    try {
      await goTo(shown, store);
      setState('waiting');
    } catch (error) {
      setState('failed');
      showLiveMessage(explainError(error));
    }
  };
  const label = 'К месту, где остановились';
  return (
    <NewPill
      label={newer === null ? label : `${label}: ${shortCount(newer)}`}
      shortcut="U"
      variant="quiet"
      state={state}
      onClick={() => void go()}
    />
  );
}

/** The distance from the header to the card, which leaves room for the line. */
const roomForLine = 16;

async function goTo({ list: listId, post, page, pageAt = 0 }: StopPoint, store: PostStore): Promise<void> {
  const covered = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBlockStart) || 0;
  const top = covered + roomForLine;
  const now = store.list(listId)!;
  let line = lineIn(now, post);
  // Without its next page the list may be too short to scroll the line to the top.
  if (line === undefined || (now.next !== null && !canScrollToPost(line, top))) {
    // A page that was received long ago may be out of date.
    const recent = Date.now() - pageAt <= limits.requestTimeoutMs ? page : null;
    const shown = await (recent ?? fetchPageAt(post));
    // Without newer posts above it, the first post could not be scrolled so far down that the header does not cover it.
    const newer = shown.previous === null ? null : await fetchPageBefore(shown.previous);
    // The reader has left the feed.
    if (stopPoint.get()?.list !== listId) return;
    flushSync(() => {
      const updates = createStoreUpdates(store);
      updates.showPlace(listId, shown, post);
      line = store.list(listId)?.ids[0];
      if (newer) updates.addNewer(listId, newer);
    });
  }
  const list = store.list(listId);
  if (!list || line === undefined) return;
  scrollToPost(line, top);
  focusPost((list.above?.count ?? 0) + list.ids.indexOf(line) + 1);
}

/** Newer posts are loaded when fewer windows than this many are above. */
const nearWindows = 2;
/** The pause after scrolling before newer posts are added: an addition while scrolling would be a layout shift. */
const stillMs = 100;
/** Newer posts are added without the pause when less than this part of a window is above. */
const topPart = 0.5;
/** A request that takes longer than this is shown. */
const slowMs = 500;

/** Loads the posts above a list that begins further down the feed. Shows its state only when the request takes long. */
function NewerPosts({ list: listId }: { list: PostListId }) {
  const store = usePostStore();
  const { above } = usePostList(listId);
  const [state, setState] = useState<PillState>('waiting');
  const cursor = above?.cursor ?? null;

  const load = async (before: string, signal: AbortSignal) => {
    const slow = setTimeout(() => setState('busy'), slowMs);
    try {
      const page = await fetchPageBefore(before, signal);
      await whenStill();
      if (signal.aborted) return;
      flushSync(() => createStoreUpdates(store).addNewer(listId, page));
      setState('waiting');
    } catch (error) {
      if (signal.aborted) return;
      setState('failed');
      showLiveMessage(explainError(error));
    } finally {
      clearTimeout(slow);
    }
  };
  const loadLatest = useEffectEvent(load);

  const isWaiting = state !== 'failed';
  useEffect(() => {
    if (cursor === null || !isWaiting) return undefined;
    const controller = new AbortController();
    let isLoading = false;
    const stopFollowing = onWindowMoved(() => {
      if (isLoading || scrollY > innerHeight * nearWindows) return;
      isLoading = true;
      void loadLatest(cursor, controller.signal);
    });
    return () => {
      controller.abort();
      stopFollowing();
    };
  }, [cursor, isWaiting]);

  if (cursor === null || state === 'waiting') return null;
  return <NewPill label="Более новые записи" state={state} onClick={() => setState('waiting')} />;
}

function whenStill(): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const done = () => {
      clearTimeout(timer);
      removeEventListener('scroll', wait);
      resolve();
    };
    const wait = () => {
      clearTimeout(timer);
      if (scrollY < innerHeight * topPart) done();
      else timer = setTimeout(done, stillMs);
    };
    addEventListener('scroll', wait, { passive: true });
    wait();
  });
}

/** The least time between two requests for the texts of waiting posts. */
const textsAfterMs = 1_000;

interface FreshPostsProps {
  list: PostListId;
  onShown: () => void;
}

/**
 * A button that shows the waiting posts. It takes no space, so nothing moves when it appears. An empty list shows the posts
 * without being asked.
 */
function FreshPosts({ list, onShown }: FreshPostsProps) {
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
 * The waiting posts without hidden words. Events have no texts, so for a person who hides words the texts are loaded before a post counts.
 */
function useWithoutWords(source: PostListSource, fresh: readonly FreshPost[]): readonly FreshPost[] {
  const whyHidden = useHides();
  const [texts, setTexts] = useState<ReadonlyMap<string, Post | undefined>>(new Map());
  const hidesWords = globalThis.hiddenWord !== undefined;
  const lacksTexts = hidesWords && fresh.some(({ id }) => !texts.has(id));

  const load = useEffectEvent(async (signal: AbortSignal) => {
    const asked = fresh.map(({ id }) => [id, undefined] as const);
    const limit = limitFor(fresh.length);
    const page = await fetchPostPage(source, { page: 1, cursor: null, limit, signal }).catch(() => null);
    if (signal.aborted) return;
    // A post that is not on the page, or a failed request, is told when the reader asks for the posts.
    setTexts(new Map([...asked, ...(page?.posts ?? []).map((post) => [post.id, post] as const)]));
  });
  useEffect(() => {
    if (!lacksTexts) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => void load(controller.signal), textsAfterMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [lacksTexts, texts]);

  return hidesWords ? fresh.filter(({ id }) => texts.has(id) && !whyHidden(texts.get(id), 'author')) : fresh;
}

/**
 * The number of waiting posts, and a function that loads the list's first page and shows them. Posts of muted authors do not count,
 * except on the page of one author, which shows them.
 */
function useFreshPosts(listId: PostListId) {
  const store = usePostStore();
  const { source, fresh, ids, next } = usePostList(listId);
  const muted = useMutedAuthors();
  const withoutWords = useWithoutWords(source, fresh);
  const counted = 'userId' in source ? withoutWords : withoutWords.filter(({ ownerId }) => !muted.has(ownerId));
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
      const page = await fetchPostPage(source, { page: 1, cursor: null, limit: limitFor(fresh.length), signal });
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

interface ListPillsProps {
  list: PostListId;
  /** Called when the newest posts are shown. */
  onShown: () => void;
}

/** The buttons over a list. */
export function ListPills({ list, onShown }: ListPillsProps) {
  return (
    <Pills>
      <StopPill list={list} />
      <NewerPosts list={list} />
      <FreshPosts list={list} onShown={onShown} />
    </Pills>
  );
}
