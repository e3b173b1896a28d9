import { follow, getFollow, unfollow } from '#contract/notifications.ts';
import { getPost, type Post } from '#contract/posts.ts';
import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { call } from '../../../lib/api.ts';
import { createLatestWins } from '../../../lib/latest-wins.ts';
import { createObservable, useObservable } from '../../../lib/observable.ts';
import { showToast } from '../../../lib/toasts.ts';
import { readSignInFlag } from '../../session/sign-in-flag.ts';
import { postGone } from '../store/post-list-state.ts';
import type { PostStore } from '../store/post-store.ts';

/** Whether the signed-in person follows a discussion, as far as it is known. */
const discussions = createObservable<ReadonlyMap<string, boolean>>(new Map());

const changes = createLatestWins<{ postId: string; following: boolean }, boolean>({
  isDone: ({ following }, state) => following === state,
  async send({ postId, following }) {
    return (await call(following ? follow : unfollow, { params: { id: postId } })).following;
  },
  onDone(following, { key, before }) {
    remember(key, following);
    if (following === before) return;
    showToast(following ? 'Вы следите за обсуждением' : 'Вы больше не следите за обсуждением');
  },
  onFailed(following, { key, error }) {
    remember(key, following);
    showToast(isNotFound(error) ? postGone : explainError(error));
  },
});

/** A discussion as one person follows it. */
const keyOf = ({ id, actions }: Pick<Post, 'id' | 'actions'>): string =>
  `${readSignInFlag()} ${actions.parent_post_id ?? id}`;

function remember(key: string, following: boolean): void {
  discussions.set(new Map(discussions.get()).set(key, following));
}

/** Whether the person follows the discussion of a post; undefined until it is known. */
export const useFollowing = (post: Post): boolean | undefined =>
  useObservable(discussions, (known) => known.get(keyOf(post)));

/** Asks the server. After a failure the discussion counts as not followed: following it twice does no harm. */
export async function askFollowing(post: Post): Promise<void> {
  const key = keyOf(post);
  const before = discussions.get().get(key);
  const response = await call(getFollow, { params: { id: post.id } }).catch(() => null);
  // What was changed here meanwhile is newer than the response.
  if (changes.isBusy(key) || discussions.get().get(key) !== before) return;
  if (response) remember(key, response.following);
  else if (before === undefined) remember(key, false);
}

/** After signing in, the list may not be loaded down to the post. */
export async function followDiscussion(store: PostStore, postId: string): Promise<void> {
  try {
    changeFollowing(store.post(postId) ?? (await call(getPost, { params: { id: postId } })), true);
  } catch (error) {
    showToast(isNotFound(error) ? postGone : explainError(error));
  }
}

/** Takes effect at once. A failure undoes it and shows a toast. */
export function changeFollowing(post: Post, following: boolean): void {
  const key = keyOf(post);
  const before = discussions.get().get(key) ?? !following;
  remember(key, following);
  changes.change(key, { postId: post.id, following }, before);
}
