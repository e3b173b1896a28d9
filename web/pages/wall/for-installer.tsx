import type { ReactNode } from 'react';
import styles from './wall-admin.module.css';

/** A folded part for the person who runs the server. Only here the names of its settings are shown. */
export const ForInstaller = ({ children }: { children: ReactNode }) => (
  <details>
    <summary>Для того, кто ставил стену</summary>
    <ul className={styles.list}>{children}</ul>
  </details>
);
