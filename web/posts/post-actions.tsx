import type { Post } from '#contract/posts.ts';
import { PostAction } from './post-action.tsx';
import styles from './post-actions.module.css';

interface PostActionsProps {
  actions: Post['actions'];
  labelled: boolean;
  onLike: () => void;
  onReply: () => void;
}

export function PostActions({ actions, labelled, onLike, onReply }: PostActionsProps) {
  return (
    <div className={styles.actions}>
      <PostAction
        icon="heart"
        name="Нравится"
        count={actions.likes_count}
        pressed={actions.is_liked}
        labelled={labelled}
        onClick={onLike}
      />
      <PostAction icon="reply" name="Ответить" count={actions.replies_count} labelled={labelled} onClick={onReply} />
    </div>
  );
}
