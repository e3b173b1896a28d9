import { likePost, type Post, unlikePost } from '#contract/posts.ts';
import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { call } from '../../../lib/api.ts';
import { openTabChannel } from '../../../lib/tab-channel.ts';
import { postGone } from './post-list-state.ts';
import type { PostStore } from './post-store.ts';

type Like = Pick<Post['actions'], 'is_liked' | 'likes_count'>;

/** Sent to the browser's other tabs when the server has accepted a like or unlike. */
interface LikeMessage {
  postId: string;
  like: Like;
}

interface LikesOptions {
  store: PostStore;
  onRefused: (reason: string) => void;
}

/** A like takes effect at once. Requests are sent one at a time for each post; after quick taps the last one counts. */
export function createLikes({ store, onRefused }: LikesOptions) {
  /** The wanted state of the posts for which a request is running. */
  const wanted = new Map<string, boolean>();
  let tellOtherTabs: ((message: LikeMessage) => void) | undefined;
  const isBusy = (id: string): boolean => wanted.has(id);
  store.posts.keepLikes(isBusy);

  async function settle(id: string, before: Like): Promise<void> {
    let settled = before;
    try {
      for (let want = wanted.get(id); want !== undefined && want !== settled.is_liked; want = wanted.get(id)) {
        const { likes_count } = await call(want ? likePost : unlikePost, { params: { id } });
        settled = { is_liked: want, likes_count };
      }
      store.changeLike(id, settled);
      tellOtherTabs?.({ postId: id, like: settled });
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
      const isRunning = wanted.has(id);
      wanted.set(id, want);
      store.changeLike(id, { is_liked: want, likes_count: Math.max(0, likes_count + (want ? 1 : -1)) });
      if (!isRunning) void settle(id, { is_liked, likes_count });
    },

    /** Called once, in the browser. */
    start(): void {
      tellOtherTabs = openTabChannel<LikeMessage>('likes', ({ postId, like }) => {
        if (!isBusy(postId)) store.changeLike(postId, like);
      });
    },

    /** Whether a request is running. Until it is done, events about the post's likes are older than what is shown. */
    isBusy,
  };
}

export type Likes = ReturnType<typeof createLikes>;
