import { follow, getFollow, unfollow } from '#contract/notifications.ts';
import { getPost, type Post } from '#contract/posts.ts';
import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { call } from '../../../lib/api.ts';
import { createObservable, useObservable } from '../../../lib/observable.ts';
import { showToast } from '../../../lib/toasts.ts';
import { readSignInFlag } from '../../session/sign-in-flag.ts';
import { postGone } from '../store/post-list-state.ts';
import type { PostStore } from '../store/post-store.ts';

/** What is known of the discussions that the signed-in person follows: what is shown, and what the server has said. */
interface Known {
  shown: boolean;
  settled: boolean;
}

const discussions = createObservable<ReadonlyMap<string, Known>>(new Map());
/** Changes are sent one after another. */
let running: Promise<unknown> = Promise.resolve();

/** A discussion as one person follows it. */
const keyOf = ({ id, actions }: Pick<Post, 'id' | 'actions'>): string =>
  `${readSignInFlag()} ${actions.parent_post_id ?? id}`;

function remember(key: string, known: Known): void {
  discussions.set(new Map(discussions.get()).set(key, known));
}

/** Whether the person follows the discussion of a post; undefined until it is known. */
export const useFollowing = (post: Post): boolean | undefined =>
  useObservable(discussions, (known) => known.get(keyOf(post))?.shown);

/** Asks the server. After a failure the discussion counts as not followed: following it twice does no harm. */
export async function askFollowing(post: Post): Promise<void> {
  const key = keyOf(post);
  const before = running;
  const answer = await call(getFollow, { params: { id: post.id } }).catch(() => null);
  // What was changed here meanwhile is newer than the answer.
  if (running !== before) return;
  if (answer) remember(key, { shown: answer.following, settled: answer.following });
  else if (!discussions.get().has(key)) remember(key, { shown: false, settled: false });
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
  const known = () => discussions.get().get(key);
  remember(key, { shown: following, settled: known()?.settled ?? !following });

  async function send(): Promise<void> {
    try {
      const { following: settled } = await call(following ? follow : unfollow, { params: { id: post.id } });
      remember(key, { shown: known()?.shown ?? settled, settled });
      showToast(settled ? 'Вы следите за обсуждением' : 'Вы больше не следите за обсуждением');
    } catch (error) {
      const { shown, settled } = known()!;
      // Another change may be waiting.
      remember(key, { shown: shown === following ? settled : shown, settled });
      showToast(isNotFound(error) ? postGone : explainError(error));
    }
  }
  running = running.then(send);
}
