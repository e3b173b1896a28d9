import type { ReactNode } from 'react';
import styles from './new-pill.module.css';

/** Buttons over the list, at the foot of the window. They take no space, so nothing moves when they appear. */
export function Pills({ children }: { children: ReactNode }) {
  return (
    <div className={styles.place}>
      <div className={styles.pills}>{children}</div>
    </div>
  );
}
