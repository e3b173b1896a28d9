import { namedOnDemand } from '../../../lib/on-demand.ts';
import { fetchPostPage } from '../store/fetch-post-page.ts';
import type { ListPage } from '../store/post-list-state.ts';

/** The code for windowing is loaded with the second page, because the first one is in normal flow. */
export const windowedPosts = namedOnDemand(() => import('./windowed-posts.tsx'), 'WindowedPosts');

/** Loads a page together with the code for windowing. If the code fails to load, the posts go into normal flow. */
export async function fetchPageToWindow(...page: Parameters<typeof fetchPostPage>): Promise<ListPage> {
  const [posts] = await Promise.all([fetchPostPage(...page), windowedPosts.load().catch(() => {})]);
  return posts;
}
