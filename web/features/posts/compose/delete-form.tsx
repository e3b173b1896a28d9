import { deletePost, type Post } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { showToast } from '../../../lib/toasts.ts';
import { ConfirmButtons } from '../../../ui/dialog-buttons.tsx';
import { ShortText } from '../card/short-text.tsx';
import { focusPost, positionOf } from '../list/posts-on-screen.ts';
import { isNotFound } from '../../../lib/api-error.ts';
import { postGone } from '../store/post-list-state.ts';
import { usePostStore } from '../store/use-posts.ts';
import { keepForRestoration } from '../store/restored-posts.ts';
import { useRequest } from '../../session/use-request.ts';
import { offerUndo } from './undo-deletion.tsx';
import styles from './delete-form.module.css';

interface DeleteFormProps {
  post: Post;
  /** Called before the post is removed from the store. */
  onDeleted: (postId: string) => void;
  onClose: () => void;
}

export function DeleteForm({ post: { id: postId, text, actions }, onDeleted, onClose }: DeleteFormProps) {
  const isReply = actions.replied_post_id !== null;
  const store = usePostStore();
  const { busy, error, send } = useRequest({ action: { kind: 'delete', postId }, onClose });

  const takeOut = (position: number) => {
    keepForRestoration(store, postId);
    onDeleted(postId);
    store.removePost(postId);
    if (position > 0) focusPost(position);
  };

  const remove = () => {
    // The event about the deletion may take the post out before the response arrives.
    const position = positionOf(postId);
    return send(async () => {
      try {
        await call(deletePost, { params: { id: postId } });
        offerUndo(postId, 'Удалено');
      } catch (failure) {
        if (!isNotFound(failure)) throw failure;
        showToast(postGone);
      }
      takeOut(position);
    });
  };

  return (
    <>
      <blockquote className={styles.text} dir="auto">
        <ShortText text={text} />
      </blockquote>
      <p>Передумать можно в течение пяти минут: сразу или в списке своих {isReply ? 'ответов' : 'записей'}.</p>
      <ConfirmButtons action="Удалить" {...{ busy, error }} onConfirm={remove} onCancel={onClose} />
    </>
  );
}
