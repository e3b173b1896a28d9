import { getPost, type Post } from '#contract/posts.ts';
import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { call } from '../../../lib/api.ts';
import { createLatestWins } from '../../../lib/latest-wins.ts';
import { createObservable } from '../../../lib/observable.ts';
import { showToast } from '../../../lib/toasts.ts';
import { readSignInFlag } from '../../session/sign-in-flag.ts';
import { postGone } from '../store/post-list-state.ts';
import type { PostStore } from '../store/post-store.ts';
import { getBookmark, removeBookmark, saveBookmark } from '#contract/bookmarks.ts';
import { follow, getFollow, unfollow } from '#contract/notifications.ts';

interface ChoiceOptions {
  /** The id that the choice is about: of the post itself or of its discussion. */
  subjectOf(post: Pick<Post, 'id' | 'actions'>): string;
  read(postId: string): Promise<boolean>;
  /** Resolves to the state then. */
  write(postId: string, chosen: boolean): Promise<boolean>;
  /** The messages after choosing and after taking that back. */
  messages: readonly [string, string];
}

export type PostChoice = ReturnType<typeof createPostChoice>;

/** Something that a signed-in person may choose for a post, such as following its discussion. */
function createPostChoice({ subjectOf, read, write, messages }: ChoiceOptions) {
  /** By key, as far as they are known. */
  const states = createObservable<ReadonlyMap<string, boolean>>(new Map());

  const changes = createLatestWins<{ postId: string; chosen: boolean }, boolean>({
    isDone: ({ chosen }, state) => chosen === state,
    send: ({ postId, chosen }) => write(postId, chosen),
    onDone(chosen, { key, before }) {
      remember(key, chosen);
      if (chosen !== before) showToast(messages[chosen ? 0 : 1]);
    },
    onFailed(chosen, { key, error }) {
      remember(key, chosen);
      showToast(isNotFound(error) ? postGone : explainError(error));
    },
  });

  /** The subject as one person has chosen it. */
  const keyOf = (post: Pick<Post, 'id' | 'actions'>): string => `${readSignInFlag()} ${subjectOf(post)}`;

  function remember(key: string, chosen: boolean): void {
    states.set(new Map(states.get()).set(key, chosen));
  }

  /** Takes effect at once. A failure undoes it and shows a toast. */
  function change(post: Post, chosen: boolean): void {
    const key = keyOf(post);
    const before = states.get().get(key) ?? !chosen;
    remember(key, chosen);
    changes.change(key, { postId: post.id, chosen }, before);
  }

  return {
    change,

    states,
    keyOf,

    /** Asks the server. After a failure it counts as not chosen: choosing twice does no harm. */
    async ask(post: Post): Promise<void> {
      const key = keyOf(post);
      const before = states.get().get(key);
      const response = await read(post.id).catch(() => null);
      // A change made here meanwhile is newer than the response.
      if (changes.isBusy(key) || states.get().get(key) !== before) return;
      if (response !== null) remember(key, response);
      else if (before === undefined) remember(key, false);
    },

    /** After signing in, the list may not be loaded down to the post. */
    async choose(store: PostStore, postId: string): Promise<void> {
      try {
        change(store.post(postId) ?? (await call(getPost, { params: { id: postId } })), true);
      } catch (error) {
        showToast(isNotFound(error) ? postGone : explainError(error));
      }
    },
  };
}

export const following = createPostChoice({
  subjectOf: ({ id, actions }) => actions.parent_post_id ?? id,
  read: async (id) => (await call(getFollow, { params: { id } })).following,
  write: async (id, chosen) => (await call(chosen ? follow : unfollow, { params: { id } })).following,
  messages: ['Вы следите за обсуждением', 'Вы больше не следите за обсуждением'],
});

export const bookmark = createPostChoice({
  subjectOf: ({ id }) => id,
  read: async (id) => (await call(getBookmark, { params: { id } })).saved,
  async write(id, chosen) {
    await call(chosen ? saveBookmark : removeBookmark, { params: { id } });
    return chosen;
  },
  messages: ['Сохранено', 'Убрано из сохранённого'],
});
