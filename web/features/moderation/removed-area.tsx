import type { RemovedPost } from '#contract/posts.ts';
import { call } from '../../lib/api.ts';
import { namedOnDemand, useOnDemand } from '../../lib/on-demand.ts';

/** Loaded on demand: few people ever see a removed post. */
const removedPosts = namedOnDemand(() => import('./removed-posts.tsx'), 'RemovedPosts');

/** The posts that a moderator has removed, shown to their author. */
export function RemovedArea({ posts }: { posts: readonly RemovedPost[] }) {
  const { thing: RemovedPosts } = useOnDemand(removedPosts, posts.length > 0);
  return RemovedPosts && posts.length > 0 && <RemovedPosts posts={posts} />;
}

/** Loads the person's removed posts and the code that shows them. Resolves to none after an error. */
export async function fetchRemoved(which: (post: RemovedPost) => boolean): Promise<RemovedPost[]> {
  try {
    const { posts } = await call('GET /posts/removed', {});
    const found = posts.filter(which);
    if (found.length > 0) await removedPosts.load();
    return found;
  } catch {
    return [];
  }
}

export const isReply = ({ replied_post_id: repliedId }: Pick<RemovedPost, 'replied_post_id'>): boolean =>
  repliedId !== null;
