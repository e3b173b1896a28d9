import type { CallEndpoint } from '#contract/calls.ts';
import type { Post } from '#contract/posts.ts';
import { explainGenerally, isNotFound } from '../../../lib/explain-error.ts';
import { call } from '../../../lib/api.ts';
import { createLatestWins } from '../../../lib/latest-wins.ts';
import { openTabChannel } from '../../../lib/tab-channel.ts';
import { postGone } from './post-list-state.ts';
import type { PostStore } from './post-store.ts';

/** This call is not in `session/own-calls.ts`, which is not part of the first load. */
export const setLiked = (send: CallEndpoint, id: string, isLiked: boolean) =>
  send(isLiked ? 'POST /posts/{id}/likes' : 'DELETE /posts/{id}/likes', { params: { id } });

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

/** A like takes effect at once; after quick taps the last one counts. */
export function createLikes({ store, onRefused }: LikesOptions) {
  let sendToOtherTabs: ((message: LikeMessage) => void) | undefined;
  const changes = createLatestWins<boolean, Like>({
    isDone: (want, { is_liked }) => want === is_liked,
    async send(want, id) {
      const { likes_count } = await setLiked(call, id, want);
      return { is_liked: want, likes_count };
    },
    onDone(like, { key: postId }) {
      store.changeLike(postId, like);
      sendToOtherTabs?.({ postId, like });
    },
    onFailed(like, { key: postId, error }) {
      if (isNotFound(error)) store.removePost(postId);
      else store.changeLike(postId, like);
      onRefused(isNotFound(error) ? postGone : explainGenerally(error));
    },
  });
  store.posts.storeLikes(changes.isBusy);

  return {
    toggle(id: string): void {
      const post = store.post(id);
      if (!post) return;
      const { is_liked, likes_count } = post.actions;
      const want = !(changes.wanted(id) ?? is_liked);
      store.changeLike(id, { is_liked: want, likes_count: Math.max(0, likes_count + (want ? 1 : -1)) });
      changes.change(id, want, { is_liked, likes_count });
    },

    /** Called once, in the browser. */
    start(): void {
      sendToOtherTabs = openTabChannel<LikeMessage>('likes', ({ postId, like }) => {
        if (!changes.isBusy(postId)) store.changeLike(postId, like);
      });
    },

    /** Whether a request about a post's like is running. Until it ends, events about the likes are older than the shown state. */
    isBusy: changes.isBusy,
  };
}

export type Likes = ReturnType<typeof createLikes>;
