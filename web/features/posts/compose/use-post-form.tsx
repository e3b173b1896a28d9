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
  if (failure === null) return { part: 'loading', content: <p role="status">Загрузка…</p> };
  const content = (
    <>
      <FormError>{failure}</FormError>
      <Button data-autofocus onClick={retry}>
        Повторить
      </Button>
    </>
  );
  return { part: failure, content };
}
