import type { Post } from '#contract/posts.ts';
import { useIntend } from '../auth/intent-context.ts';
import { PostAction } from './post-action.tsx';
import styles from './post-actions.module.css';

export function PostActions({ post, labelled }: { post: Post; labelled: boolean }) {
  const intend = useIntend();
  const { id, actions } = post;
  return (
    <div className={styles.actions}>
      <PostAction
        icon="heart"
        name="Нравится"
        shortcut="L"
        count={actions.likes_count}
        pressed={actions.is_liked}
        labelled={labelled}
        onClick={() => intend({ kind: 'like', postId: id })}
      />
      <PostAction
        icon="reply"
        name="Ответить"
        shortcut="R"
        count={actions.replies_count}
        labelled={labelled}
        onClick={() => intend({ kind: 'reply', postId: id })}
      />
    </div>
  );
}
