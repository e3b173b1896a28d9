import { limits } from '#contract/limits.ts';
import type { PostPage } from '#contract/posts.ts';
import { fetchPostPage, limitFor } from '../../features/posts/store/fetch-post-page.ts';
import type { PostListSource } from '../../features/posts/store/post-list-state.ts';
import { windowedPosts } from '../../features/posts/list/windowing.ts';
import type { Anchor } from './place.ts';

/** A thousand posts. Readers who were further down get this far. */
const mostPages = 20;

interface Loaded {
  source: PostListSource;
  page: PostPage;
}

/**
 * Loads the pages after a list's first one, down to a window below the anchor, in pages of the largest size. New posts
 * may have moved the anchor down; when it is not found within one large page more it counts as deleted. After a network
 * failure the list ends where loading stopped.
 */
export async function loadDownTo(anchor: Anchor, { source, page }: Loaded, signal: AbortSignal): Promise<PostPage[]> {
  // A list this long needs windowing.
  await windowedPosts.load().catch(() => {});
  const pages = [page];
  for (;;) {
    const ids = pages.flatMap(({ posts }) => posts.map(({ id }) => id));
    const { next } = pages.at(-1)!;
    const at = ids.indexOf(anchor.id) + 1;
    const wanted = at === 0 ? anchor.position + limits.pageSizeMax : at + limits.pageSize;
    if (next === null || ids.length >= wanted || pages.length === mostPages) return pages.slice(1);
    const request = { page: pages.length + 1, cursor: next, limit: limitFor(wanted - ids.length), signal };
    try {
      pages.push(await fetchPostPage(source, request));
    } catch (error) {
      if (signal.aborted) throw error;
      return pages.slice(1);
    }
  }
}
