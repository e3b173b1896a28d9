import { likePost, unlikePost } from '#contract/posts.ts';
import { explainError } from '../lib/api-error.ts';
import { call } from '../lib/api.ts';
import { type Like, type LikeTold, openLikeChannel } from './like-channel.ts';
import { isNotFound, postGone } from './post-gone.ts';
import type { PostStore } from './post-store.ts';

interface LikesOptions {
  store: PostStore;
  /** In words for people. */
  onRefused: (reason: string) => void;
}

/** Shown at once and sent one at a time for each post: however quick the taps, the last one counts. */
export function createLikes({ store, onRefused }: LikesOptions) {
  /** What is wanted of the posts whose like is on its way. */
  const wanted = new Map<string, boolean>();
  let tellOtherTabs: ((told: LikeTold) => void) | undefined;

  async function settle(id: string, before: Like): Promise<void> {
    let settled = before;
    try {
      for (let want = wanted.get(id); want !== undefined && want !== settled.is_liked; want = wanted.get(id)) {
        const { likes_count } = await call(want ? likePost : unlikePost, { params: { id } });
        settled = { is_liked: want, likes_count };
      }
      store.changeLike(id, settled);
      tellOtherTabs?.({ id, like: settled });
    } catch (error) {
      if (isNotFound(error)) store.removePost(id);
      else store.changeLike(id, settled);
      onRefused(isNotFound(error) ? postGone : explainError(error));
    } finally {
      wanted.delete(id);
    }
  }

  return {
    toggle(id: string): void {
      const post = store.post(id);
      if (!post) return;
      const { is_liked, likes_count } = post.actions;
      const want = !(wanted.get(id) ?? is_liked);
      const isOnItsWay = wanted.has(id);
      wanted.set(id, want);
      store.changeLike(id, { is_liked: want, likes_count: Math.max(0, likes_count + (want ? 1 : -1)) });
      if (!isOnItsWay) void settle(id, { is_liked, likes_count });
    },

    /** In the browser, once. */
    start(): void {
      tellOtherTabs = openLikeChannel(({ id, like }) => {
        if (!wanted.has(id)) store.changeLike(id, like);
      });
    },

    /** Until its like has arrived what others tell of it is older than what is shown. */
    isBusy: (id: string): boolean => wanted.has(id),
  };
}

export type Likes = ReturnType<typeof createLikes>;
