import type { ReactNode } from 'react';
import { useOnDemand } from '../../../lib/on-demand.ts';
import { Button } from '../../../ui/button.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import type { DialogAction } from '../../session/actions.ts';
import { postForm } from './writing.ts';

export interface PostFormOptions {
  /** Null while nothing is open. */
  action: DialogAction | null;
  /** Whether it stands in the page, below what is answered. */
  isInline?: boolean;
  /** Called before the post is removed from the store. */
  onDeleted?: (postId: string) => void;
  onClose: () => void;
}

/** The form for an action, which may still be loading. `part` changes with what is shown. */
export function usePostForm({ action, ...rest }: PostFormOptions): { content: ReactNode; part: string } {
  const { thing: PostForm, failure, retry } = useOnDemand(postForm, action !== null);
  if (PostForm) return { part: 'form', content: action && <PostForm action={action} {...rest} /> };
  return { part: failure ?? 'loading', content: <PartStatus failure={failure} onRetry={retry} /> };
}

/** Stands for a part that is loading or could not be loaded. */
export function PartStatus({ failure, onRetry }: { failure: string | null; onRetry: () => void }) {
  if (failure === null) return <p role="status">Загрузка…</p>;
  return (
    <>
      <FormError>{failure}</FormError>
      <Button data-autofocus onClick={onRetry}>
        Повторить
      </Button>
    </>
  );
}
