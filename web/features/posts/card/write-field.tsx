import type { MouseEvent, ReactNode } from 'react';
import { takesClick } from '../../../lib/watch.ts';
import { Face } from '../../../ui/face.tsx';
import { usePerform } from '../../session/actions.ts';
import { useSessionState } from '../../session/session.ts';
import styles from './write-field.module.css';

interface WriteFieldProps {
  /** The page of the form. */
  href: string;
  /** The field stays at the foot of the window while the list goes on below. */
  isAtFoot?: boolean;
  /** Visitors do not see it. */
  isForMembers?: boolean;
  children: ReactNode;
}

/** Looks like a field and opens the form of a post in a layer. Visitors sign in first. */
export function WriteField({ href, isAtFoot = false, isForMembers = false, children }: WriteFieldProps) {
  const perform = usePerform();
  const session = useSessionState();
  const open = (event: MouseEvent) => takesClick(event) && perform({ kind: 'layer', href });
  return (
    <p className={styles.place} data-foot={isAtFoot} data-for={isForMembers ? 'members' : undefined}>
      <a href={href} className={styles.link} onClick={open}>
        {session.is === 'authorized' ? <Face of={session.user} /> : <span className={styles.nobody} />}
        <span className={styles.field}>{children}</span>
      </a>
    </p>
  );
}
