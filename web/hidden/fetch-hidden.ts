import { type HiddenPost, listHidden } from '#contract/posts.ts';
import { call } from '../lib/api.ts';
import { onDemand } from '../lib/on-demand.ts';

/** Few people ever see one. */
export const hiddenPosts = onDemand(async () => (await import('./hidden-posts.tsx')).HiddenPosts);

/** What somebody has written and the operator has hidden, and the code to show it with. A page may go without it. */
export async function fetchHidden(which: (post: HiddenPost) => boolean, signal?: AbortSignal): Promise<HiddenPost[]> {
  try {
    const { posts } = await call(listHidden, signal ? { signal } : {});
    const found = posts.filter(which);
    if (found.length > 0) await hiddenPosts.load();
    return found;
  } catch {
    return [];
  }
}

export const isReply = ({ replied_post_id: answered }: HiddenPost): boolean => answered !== null;
