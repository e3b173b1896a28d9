import type { MouseEvent, ReactNode } from 'react';
import { takesClick } from '../../../lib/watch.ts';
import { Face } from '../../../ui/face.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { usePerform } from '../../session/actions.ts';
import { useSessionState } from '../../session/session.ts';
import styles from './write-field.module.css';

interface WriteFieldProps {
  /** The page of the form. */
  href: string;
  /** It stays at the foot of the window while there is more to read. */
  isAtFoot?: boolean;
  children: ReactNode;
}

/** Looks like a field and opens the form of a post in a layer. Visitors sign in first. */
export function WriteField({ href, isAtFoot = false, children }: WriteFieldProps) {
  const perform = usePerform();
  const session = useSessionState();
  const open = (event: MouseEvent) => takesClick(event) && perform({ kind: 'layer', href });
  return (
    <p className={styles.place} data-foot={isAtFoot}>
      <a href={href} className={styles.field} onClick={open}>
        {session.is === 'authorized' ? <Face of={session.user} /> : <Icon name="pencil" />}
        {children}
      </a>
    </p>
  );
}
