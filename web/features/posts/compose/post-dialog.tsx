import type { DialogAction } from '../../session/actions.ts';
import { useOnDemand } from '../../../lib/on-demand.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import type { PostStore } from '../store/post-store.ts';
import { usePostStore } from '../store/use-posts.ts';
import { postForm } from './writing.ts';

interface PostDialogProps {
  /** Null while the dialog is closed. */
  action: DialogAction | null;
  /** Called before the post is removed from the store. */
  onDeleted: (postId: string) => void;
  onClose: () => void;
}

/** Opens at once. Its form may still be loading. */
export function PostDialog({ action, onDeleted, onClose }: PostDialogProps) {
  const store = usePostStore();
  const open = action !== null;
  const { thing: PostForm, failure, retry } = useOnDemand(postForm, open);

  const content = () => {
    if (action === null) return null;
    if (PostForm) return <PostForm action={action} onDeleted={onDeleted} onClose={onClose} />;
    if (failure === null) return <p role="status">Загрузка…</p>;
    return (
      <>
        <FormError>{failure}</FormError>
        <Button data-autofocus onClick={retry}>
          Повторить
        </Button>
      </>
    );
  };
  return (
    <Dialog
      open={open}
      title={action ? titleOf(action, store) : ''}
      part={PostForm ? 'form' : (failure ?? 'loading')}
      onClose={onClose}
    >
      {content()}
    </Dialog>
  );
}

function titleOf(action: DialogAction, store: PostStore): string {
  const post = 'postId' in action ? store.post(action.postId) : undefined;
  const isReply = post !== undefined && post.actions.replied_post_id !== null;
  switch (action.kind) {
    case 'new-post':
      return 'Новая запись';
    case 'reply':
      return 'Ответ';
    case 'edit':
      return isReply ? 'Изменение ответа' : 'Изменение записи';
    case 'delete':
      return isReply ? 'Удалить ответ?' : 'Удалить запись?';
    case 'report':
      return 'Пожаловаться';
  }
}
