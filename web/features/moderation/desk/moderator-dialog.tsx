import type { Post } from '#contract/posts.ts';
import { removePost } from '#contract/moderation.ts';
import { call } from '../../../lib/api.ts';
import { showToast } from '../../../lib/toasts.ts';
import { focusPost, positionOf } from '../../posts/list/posts-on-screen.ts';
import { postGone } from '../../posts/store/post-list-state.ts';
import { keepForRestoration, showRestored } from '../../posts/store/restored-posts.ts';
import { usePostStore } from '../../posts/store/use-posts.ts';
import { useSessionState } from '../../session/session.ts';
import { alreadyDone, type DeskAct, removalOf } from './act.ts';
import { ActDialog } from './act-dialog.tsx';
import { offerUndo } from './offer-undo.tsx';

interface ModeratorDialogProps {
  /** Null while the dialog is closed. */
  post: Post | null;
  onDeleted: (postId: string) => void;
  onClose: () => void;
}

/** Removes a post from where a moderator reads it. */
export function ModeratorDialog({ post, onDeleted, onClose }: ModeratorDialogProps) {
  const store = usePostStore();
  const session = useSessionState();
  const me = session.is === 'authorized' ? session.user.id : null;

  function removal({ id, text }: Post): DeskAct {
    // The event about the removal may take the post out before the response arrives.
    const position = positionOf(id);
    const takeOut = () => {
      keepForRestoration(store, id);
      onDeleted(id);
      store.removePost(id);
      if (position > 0) focusPost(position);
    };
    return removalOf(text, {
      async run(reason) {
        const { act_id: actId } = await call(removePost, { params: { id }, body: { reason } });
        if (actId === null) showToast(alreadyDone);
        else offerUndo(`Убрано со стены: ${reason}`, actId, () => showRestored(store, id, me));
        takeOut();
      },
      async onGone() {
        showToast(postGone);
        takeOut();
      },
    });
  }

  return <ActDialog act={post && removal(post)} onClose={onClose} />;
}
