import type { ReactNode } from 'react';
import styles from './menu.module.css';

export function MenuItem({ onChoose, children }: { onChoose: () => void; children: ReactNode }) {
  return (
    <button type="button" role="menuitem" tabIndex={-1} className={styles.item} onClick={onChoose}>
      {children}
    </button>
  );
}
