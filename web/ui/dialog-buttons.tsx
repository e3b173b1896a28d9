import type { ReactNode } from 'react';
import styles from './dialog-buttons.module.css';

/** The choices at a dialog's end, beside one another where there is room. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
