import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { getPost, type Post, restorePost } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { type Toast, toasts } from '../../../lib/toasts.ts';
import { UndoToastButton } from '../../../ui/undo-toast-button.tsx';
import { focusPost, positionOf } from '../list/posts-on-screen.ts';
import type { PostStore } from '../store/post-store.ts';
import { showRestored } from '../store/restored-posts.ts';
import { usePostStore } from '../store/use-posts.ts';

const tooLate = 'Вернуть уже нельзя: после удаления прошло больше пяти минут.';

/** A message about a deleted post, with a button that takes the deletion back. */
export function offerUndo(postId: string, text: string): void {
  // People must be able to reach the button.
  toasts.add({ text, postId, Button: UndoButton, leftMs: 2 * limits.toastMs });
}

export function UndoButton({ postId = '' }: Pick<Toast, 'postId'>) {
  const store = usePostStore();
  return <UndoToastButton onPress={() => void undo(store, postId)}>Вернуть</UndoToastButton>;
}

/** Takes a deletion back. After a failure, the message offers to try again. */
export async function undo(store: PostStore, postId: string): Promise<void> {
  try {
    const post = await restored(postId);
    showRestored(store, postId, post.owner.id, post);
    await new Promise(requestAnimationFrame);
    const position = positionOf(postId);
    const isShown = position > 0;
    if (isShown) focusPost(position);
    const link = { href: addresses.post.href(post), text: 'Открыть' };
    toasts.add({ text: 'Возвращено', ...(!isShown && { link }) });
  } catch (error) {
    if (isNotFound(error)) toasts.add({ text: tooLate });
    else offerUndo(postId, explainError(error));
  }
}

/** The response to an earlier attempt may have been lost: then the post is there already. */
async function restored(postId: string): Promise<Post> {
  try {
    return await call(restorePost, { params: { id: postId } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return call(getPost, { params: { id: postId } });
  }
}
