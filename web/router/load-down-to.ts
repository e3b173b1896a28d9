import { limits } from '#contract/limits.ts';
import type { PostPage } from '#contract/posts.ts';
import { fetchPostPage, limitFor } from '../posts/fetch-post-page.ts';
import type { PostListSource } from '../posts/post-list-state.ts';
import { windowedPosts } from '../posts/windowing.ts';
import type { Anchor } from './place.ts';

/** A thousand posts. Whoever was further down is brought that far. */
const mostPages = 20;

interface Loaded {
  source: PostListSource;
  page: PostPage;
}

/**
 * Loads what follows a list's first page, down to a window below the anchor: in pages as large as the server gives, one
 * after the other. New posts may have pushed the anchor down; past one large page more than expected it is taken for gone.
 * Where the network fails the reader comes as far as it went.
 */
export async function loadDownTo(anchor: Anchor, { source, page }: Loaded, signal: AbortSignal): Promise<PostPage[]> {
  // So many posts are too many for plain flow.
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
