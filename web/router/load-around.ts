import { listPosts, type PostPage } from '#contract/posts.ts';
import { limits } from '#contract/limits.ts';
import { windowedPosts } from '../features/posts/list/windowing.ts';
import type { PostListId, PostStore } from '../features/posts/store/post-store.ts';
import { createStoreUpdates } from '../features/posts/store/store-updates.ts';
import { call } from '../lib/api.ts';
import type { Anchor } from './place.ts';

/** Loads the part of the feed around the anchor. Returns a function that shows it instead of the feed's beginning. */
export async function loadAround({ id }: Anchor, signal: AbortSignal) {
  const limit = String(limits.pageSize);
  let page: PostPage | undefined;
  let newer: PostPage | undefined;
  try {
    [page] = await Promise.all([
      call(listPosts, { query: { at: id, limit }, signal }),
      windowedPosts.load().catch(() => {}),
    ]);
    if (page.previous !== null) newer = await call(listPosts, { query: { before: page.previous, limit }, signal });
  } catch (error) {
    if (signal.aborted) throw error;
  }
  return (store: PostStore, list: PostListId): void => {
    const updates = createStoreUpdates(store);
    if (page) updates.showPlace(list, page, id);
    if (newer) updates.addNewer(list, newer);
  };
}
