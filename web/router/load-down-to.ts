import { limits } from '#contract/limits.ts';
import type { PostPage } from '#contract/posts.ts';
import { fetchPageAt, fetchPageBefore } from '../features/posts/list/feed-line.tsx';
import { rowWindow } from '../features/posts/list/post-list.tsx';
import { fetchPostPage, limitFor } from '../features/posts/store/fetch-post-page.ts';
import type { ListPage, PostListSource } from '../features/posts/store/post-list-state.ts';
import type { PostListId, PostStore } from '../features/posts/store/post-store.ts';
import { createStoreUpdates } from '../features/posts/store/store-updates.ts';
import { openedThread, withBranches, withMore } from '../features/posts/store/thread-tree.ts';
import { withBranchPage } from '../features/posts/store/thread-updates.ts';
import { loadBranch, type LoadedBranch } from '../features/posts/thread/load-branch.ts';
import { threadControl } from '../features/posts/thread/thread.tsx';
import { call } from '../lib/api.ts';
import type { Anchor } from './spot.ts';

/** Loads the part of the feed around the anchor. Returns a function that shows it instead of the feed's beginning. */
async function loadAround({ id }: Anchor, signal: AbortSignal) {
  let page: PostPage | undefined;
  let newer: PostPage | undefined;
  try {
    page = await fetchPageAt(id, signal);
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

/** The most pages to load, a thousand posts. A list ends there even if the reader was further down; the feed is loaded around the anchor instead. */
const mostPages = 20;

interface Loaded {
  source: PostListSource;
  page: ListPage;
}

/**
 * Loads the pages after a list's first one, down to a window below the anchor. Returns a function that appends them. After a network
 * failure the list ends where loading stopped.
 */
export async function loadDownTo(anchor: Anchor, { source, page }: Loaded, signal: AbortSignal) {
  if (source.kind === 'feed' && anchor.position > mostPages * limits.pageSizeMax) return loadAround(anchor, signal);
  // A list this long needs its window of rows at once.
  await (source.kind === 'thread' ? threadControl : rowWindow).load().catch(() => {});
  const pages = [page];
  const branches: LoadedBranch[] = [];
  try {
    const placed =
      source.kind === 'thread' && !anchor.path ? { ...anchor, path: await pathTo(anchor.id, signal) } : anchor;
    await loadPages(placed, { source, pages, signal });
    await loadBranches(placed, { pages, branches, signal });
  } catch (error) {
    if (signal.aborted) throw error;
  }
  return (store: PostStore, list: PostListId): void => {
    for (const further of pages.slice(1)) store.appendPage(list, further);
    for (const { id, page: further, ...rest } of branches) {
      store.posts.putPage(further);
      store.update(list, (shown) => withBranchPage(shown, shown.thread!, id, rest));
    }
  };
}

/** The posts above a reply, the nearest first, as far as its page names them. */
async function pathTo(id: string, signal: AbortSignal): Promise<string[]> {
  const { ancestors } = await call('GET /posts/{id}/thread', { params: { id }, query: { limit: '1' }, signal });
  return ancestors.map((above) => above.id).toReversed();
}

/** Loads pages of the largest size. New posts may have moved the anchor down. If it is not found within one more large page, it counts as deleted. */
async function loadPages(
  { id, position, path = [] }: Anchor,
  { source, pages, signal }: { source: PostListSource; pages: ListPage[]; signal: AbortSignal },
): Promise<void> {
  // The pages of a discussion contain direct replies, so the direct reply above the anchor is sought.
  const sought = path.at(-2) ?? id;
  while (pages.length < mostPages) {
    const ids = pages.flatMap(({ posts }) => posts.map((post) => post.id));
    const { next } = pages.at(-1)!;
    const at = ids.indexOf(sought) + 1;
    const wanted = at === 0 ? position + limits.pageSizeMax : at + limits.pageSize;
    if (next === null || ids.length >= wanted) return;
    const request = { page: pages.length + 1, cursor: next, limit: limitFor(wanted - ids.length), signal };
    pages.push(await fetchPostPage(source, request));
  }
}

/** Loads further replies of the branches around the anchor, from the outer ones inwards. */
async function loadBranches(
  { id, path = [] }: Anchor,
  { pages, branches, signal }: { pages: readonly ListPage[]; branches: LoadedBranch[]; signal: AbortSignal },
): Promise<void> {
  const opened = pages[0]?.thread;
  if (!opened) return;
  const { postId } = opened;
  let thread = pages
    .slice(1)
    .reduce((whole, page) => withBranches(whole, postId, page.thread?.replies ?? []), openedThread(opened));
  while (!thread.nodes.has(id) && branches.length < mostPages) {
    const at = path.find((above) => thread.nodes.has(above));
    const loaded = at === undefined ? null : await loadBranch(thread, at, { signal });
    if (loaded === null) return;
    thread = withMore(withBranches(thread, loaded.id, loaded.branches), loaded.id, loaded.more);
    branches.push(loaded);
  }
}
