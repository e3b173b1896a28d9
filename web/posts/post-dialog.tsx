import type { DialogIntent } from '../auth/intent.ts';
import { useOnDemand } from '../lib/on-demand.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FormError } from '../ui/form-error.tsx';
import type { PostStore } from './post-store.ts';
import { usePostStore } from './post-store-context.ts';
import { postForm } from './writing.ts';

interface PostDialogProps {
  /** What it is open for; null: closed. */
  intent: DialogIntent | null;
  /** Told before the post leaves. */
  onDeleted: (postId: string) => void;
  onClose: () => void;
}

/** It opens at once; what stands in it may have to come first. */
export function PostDialog({ intent, onDeleted, onClose }: PostDialogProps) {
  const store = usePostStore();
  const open = intent !== null;
  const { thing: PostForm, failure, retry } = useOnDemand(postForm, open);

  const content = () => {
    if (intent === null) return null;
    if (PostForm) return <PostForm intent={intent} onDeleted={onDeleted} onClose={onClose} />;
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
      title={intent ? titleOf(intent, store) : ''}
      part={PostForm ? 'form' : (failure ?? 'loading')}
      onClose={onClose}
    >
      {content()}
    </Dialog>
  );
}

function titleOf(intent: DialogIntent, store: PostStore): string {
  const post = 'postId' in intent ? store.post(intent.postId) : undefined;
  const isReply = post !== undefined && post.actions.replied_post_id !== null;
  switch (intent.kind) {
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
