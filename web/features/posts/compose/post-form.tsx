import type { DialogAction } from '../../session/actions.ts';
import type { PostFormOptions } from './use-post-form.tsx';
import { showToast } from '../../../lib/toasts.ts';
import { ReportForm } from '../../reports/report-form.tsx';
import { postGone } from '../store/post-list-state.ts';
import { rootIdOf } from '../card/root-id.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogButtons } from '../../../ui/dialog-buttons.tsx';
import { usePostStore } from '../store/use-posts.ts';
import { ComposerForm } from './composer-form.tsx';
import { DeleteForm } from './delete-form.tsx';
import { EditForm } from './edit-form.tsx';
import type { ReactNode } from 'react';
import type { Post } from '#contract/posts.ts';
import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { FormError } from '../../../ui/form-error.tsx';
import { useFetchedPost } from './use-fetched-post.ts';

interface PostFormProps extends PostFormOptions {
  action: DialogAction;
}

/** The form in the dialog or in a discussion, loaded on demand. */
export function PostForm({ action, isInline = false, onDeleted = () => {}, onClose }: PostFormProps) {
  const store = usePostStore();

  switch (action.kind) {
    case 'new-post':
      return <ComposerForm repliedPostId={null} onClose={onClose} />;
    case 'reply': {
      const { postId, quote } = action;
      const post = store.post(postId);
      const root = post && store.post(rootIdOf(post));
      if (root?.actions.is_closed) return <ClosedDiscussion rule={root.actions.rule} onClose={onClose} />;
      return <ComposerForm key={postId} repliedPostId={postId} quote={quote} isInline={isInline} onClose={onClose} />;
    }
    case 'edit':
      return <FetchedPost id={action.postId}>{(post) => <EditForm post={post} onClose={onClose} />}</FetchedPost>;
    case 'delete':
      return (
        <FetchedPost id={action.postId}>
          {(post) => <DeleteForm post={post} onDeleted={onDeleted} onClose={onClose} />}
        </FetchedPost>
      );
    case 'report': {
      const leave = () => {
        showToast(postGone);
        store.removePost(action.postId);
      };
      return <ReportForm postId={action.postId} onGone={leave} onClose={onClose} />;
    }
  }
}

/** In place of the form. What was typed before stays a draft. */
function ClosedDiscussion({ rule, onClose }: { rule: string | undefined; onClose: () => void }) {
  return (
    <>
      <p>{rule}</p>
      <DialogButtons>
        <Button variant="primary" data-autofocus onClick={onClose}>
          Понятно
        </Button>
      </DialogButtons>
    </>
  );
}

interface FetchedPostProps {
  id: string;
  children: (post: Post) => ReactNode;
}

/** Renders a post that may not be in the store, as after signing in again. */
function FetchedPost({ id, children }: FetchedPostProps) {
  const { post, failure } = useFetchedPost(id);
  if (post) return children(post);
  if (failure === null) return <p role="status">Загрузка…</p>;
  return <FormError>{isNotFound(failure) ? postGone : explainError(failure)}</FormError>;
}
