import type { ReactNode } from 'react';
import type { Post } from '#contract/posts.ts';
import { explainError, isNotFound } from '../../../lib/api-error.ts';
import { FormError } from '../../../ui/form-error.tsx';
import { postGone } from '../store/post-list-state.ts';
import { useFetchedPost } from './use-fetched-post.ts';

interface FetchedPostProps {
  id: string;
  children: (post: Post) => ReactNode;
}

/** Renders a post that may not be in the store, as after signing in again. */
export function FetchedPost({ id, children }: FetchedPostProps) {
  const { post, failure } = useFetchedPost(id);
  if (post) return children(post);
  if (failure === null) return <p role="status">Загрузка…</p>;
  return <FormError>{isNotFound(failure) ? postGone : explainError(failure)}</FormError>;
}
