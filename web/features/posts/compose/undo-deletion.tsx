import { addresses } from '#contract/addresses.ts';
import { call } from '../../../lib/api.ts';
import { explainBriefly, isNotFound } from '../../../lib/explain-error.ts';
import { showToast, type Toast, toasts } from '../../../lib/toasts.ts';
import { UndoToastButton } from '../../../ui/undo-toast-button.tsx';
import { focusPost, positionOf } from '../list/posts-on-screen.ts';
import type { PostStore } from '../store/post-store.ts';
import { restorePost, tooLate } from '../../session/own-calls.ts';
import { showRestored } from '../store/restored-posts.ts';
import { usePostStore } from '../store/use-posts.ts';

/** Shows a message about a deleted post, with a button that restores the post. */
export function offerUndo(postId: string, text: string): void {
  toasts.add({ text, postId, Button: UndoButton });
}

export function UndoButton({ postId = '' }: Pick<Toast, 'postId'>) {
  const store = usePostStore();
  return <UndoToastButton onPress={() => void undo(store, postId)}>Вернуть</UndoToastButton>;
}

/** Restores a post. After a failure, the message offers to try again. */
async function undo(store: PostStore, postId: string): Promise<void> {
  try {
    const post = await restorePost(call, postId);
    showRestored(store, postId, post.owner.id, post);
    await new Promise(requestAnimationFrame);
    const position = positionOf(postId);
    const isShown = position > 0;
    if (isShown) focusPost(position);
    const link = { href: addresses.post.href(post), text: 'Открыть' };
    showToast('Возвращено', isShown ? undefined : link);
  } catch (error) {
    if (isNotFound(error)) showToast(tooLate);
    else offerUndo(postId, explainBriefly(error));
  }
}
