import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import { usePerform } from '../../features/session/actions.ts';
import { Icon } from '../../ui/icon.tsx';
import { LinkForm } from '../../ui/link-form.tsx';

export function NewPostButton({ className, children }: { className: string | undefined; children: ReactNode }) {
  const perform = usePerform();
  return (
    <LinkForm to={addresses.newPost.href()}>
      <button type="submit" className={className} aria-keyshortcuts="N" onClick={() => perform({ kind: 'new-post' })}>
        <Icon name="pencil" />
        {children}
      </button>
    </LinkForm>
  );
}
