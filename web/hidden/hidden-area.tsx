import type { HiddenPost } from '#contract/posts.ts';
import { useOnDemand } from '../lib/on-demand.ts';
import { hiddenPosts } from './fetch-hidden.ts';

/** Its code has come with the posts. */
export function HiddenArea({ posts }: { posts: readonly HiddenPost[] }) {
  const { thing: HiddenPosts } = useOnDemand(hiddenPosts, posts.length > 0);
  return HiddenPosts && posts.length > 0 && <HiddenPosts posts={posts} />;
}
