import type { ReactNode } from 'react';
import styles from './wall-admin.module.css';

/** Folded: what only the one understands who runs the machine. Names of settings stand nowhere else. */
export const ForInstaller = ({ children }: { children: ReactNode }) => (
  <details>
    <summary>Для того, кто ставил стену</summary>
    <ul className={styles.list}>{children}</ul>
  </details>
);
