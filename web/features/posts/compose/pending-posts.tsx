import { useState } from 'react';
import { deletePost, type PendingPost } from '#contract/posts.ts';
import { call } from '../../../lib/api.ts';
import { isNotFound } from '../../../lib/api-error.ts';
import { showToast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { ConfirmButtons } from '../../../ui/dialog-buttons.tsx';
import { useRequest } from '../../session/use-request.ts';
import { pendingText } from '../card/pending-text.ts';
import { PostText } from '../card/post-text.tsx';
import styles from './deleted-posts.module.css';

interface PendingPostsProps {
  posts: readonly PendingPost[];
  onDeleted: () => void;
}

/** A newcomer's own posts that wait for a moderator. */
export function PendingPosts({ posts, onDeleted }: PendingPostsProps) {
  const [leaving, setLeaving] = useState<PendingPost | null>(null);
  if (posts.length === 0) return null;
  return (
    <>
      <ul className={styles.list} aria-label="Ждёт проверки">
        {posts.map((post) => (
          <li key={post.id} className={styles.pending}>
            <PostText id={`pending-${post.id}`} text={post.text} />
            <p className={styles.quiet}>{pendingText(post)}</p>
            <Button aria-describedby={`pending-${post.id}`} aria-haspopup="dialog" onClick={() => setLeaving(post)}>
              Удалить
            </Button>
          </li>
        ))}
      </ul>
      <Dialog open={leaving !== null} title="Удалить навсегда?" onClose={() => setLeaving(null)}>
        {leaving && <DeletePending post={leaving} onDeleted={onDeleted} onClose={() => setLeaving(null)} />}
      </Dialog>
    </>
  );
}

interface DeletePendingProps {
  post: PendingPost;
  onDeleted: () => void;
  onClose: () => void;
}

function DeletePending({ post: { id }, onDeleted, onClose }: DeletePendingProps) {
  const { busy, error, send } = useRequest({ onClose });
  const remove = () =>
    send(async () => {
      await call(deletePost, { params: { id } }).catch((failure: unknown) => {
        // It has appeared, or was removed: the list says so.
        if (!isNotFound(failure)) throw failure;
      });
      onDeleted();
      showToast('Удалено');
    });
  return (
    <>
      <p>Её ещё никто не видел. Вернуть её будет нельзя.</p>
      <ConfirmButtons action="Удалить" {...{ busy, error }} onConfirm={remove} onCancel={onClose} />
    </>
  );
}
