import type { DialogAction } from '../../session/actions.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import type { PostStore } from '../store/post-store.ts';
import { usePostStore } from '../store/use-posts.ts';
import { type PostFormOptions, usePostForm } from './use-post-form.tsx';

/** Opens at once. Its form may still be loading. */
export function PostDialog(props: PostFormOptions) {
  const { action, onClose } = props;
  const store = usePostStore();
  const { content, part } = usePostForm(props);
  return (
    <Dialog open={action !== null} title={action ? titleOf(action, store) : ''} part={part} onClose={onClose}>
      {content}
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
