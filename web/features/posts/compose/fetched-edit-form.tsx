import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { FormError } from '../../../ui/form-error.tsx';
import { EditForm } from './edit-form.tsx';
import { postGone } from '../store/post-list-state.ts';
import { useFetchedPost } from './use-fetched-post.ts';

interface FetchedEditFormProps {
  postId: string;
  onClose: () => void;
}

/** After signing in again the post may not be in the store. */
export function FetchedEditForm({ postId, onClose }: FetchedEditFormProps) {
  const { post, failure } = useFetchedPost(postId);
  if (post) return <EditForm post={post} onClose={onClose} />;
  if (failure === null) return null;
  return <FormError>{isNotFound(failure) ? postGone : explainError(failure)}</FormError>;
}
