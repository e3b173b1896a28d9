import type { PostPage } from '#contract/posts.ts';
import { onDemand } from '../lib/on-demand.ts';
import { fetchPostPage } from './fetch-post-page.ts';

/** A first page, as the server sends it, stands in plain flow: what windows the posts after it comes with them. */
export const windowedPosts = onDemand(async () => (await import('./windowed-posts.tsx')).WindowedPosts);

/** Where the code does not come the posts do, and stand in plain flow as well. */
export async function fetchPageToWindow(...page: Parameters<typeof fetchPostPage>): Promise<PostPage> {
  const [posts] = await Promise.all([fetchPostPage(...page), windowedPosts.load().catch(() => {})]);
  return posts;
}
