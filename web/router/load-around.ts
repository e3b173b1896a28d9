import type { PostPage } from '#contract/posts.ts';
import { fetchPageAt, fetchPageBefore } from '../features/posts/list/feed-line.tsx';
import { windowedPosts } from '../features/posts/list/windowing.ts';
import type { PostListId, PostStore } from '../features/posts/store/post-store.ts';
import { createStoreUpdates } from '../features/posts/store/store-updates.ts';
import type { Anchor } from './place.ts';

/** Loads the part of the feed around the anchor. Returns a function that shows it instead of the feed's beginning. */
export async function loadAround({ id }: Anchor, signal: AbortSignal) {
  let page: PostPage | undefined;
  let newer: PostPage | undefined;
  try {
    [page] = await Promise.all([fetchPageAt(id, signal), windowedPosts.load().catch(() => {})]);
    if (page.previous !== null) newer = await fetchPageBefore(page.previous, signal);
  } catch (error) {
    if (signal.aborted) throw error;
  }
  return (store: PostStore, list: PostListId): void => {
    const updates = createStoreUpdates(store);
    if (page) updates.showPlace(list, page, id);
    if (newer) updates.addNewer(list, newer);
  };
}
