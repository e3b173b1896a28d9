import type { MouseEvent } from 'react';
import styles from './tabs.module.css';

export interface Tab {
  name: string;
  /** The number of unread things behind the tab. */
  unread?: number;
  href: string;
  onClick?: ((event: MouseEvent) => void) | undefined;
}

/** Links to the pages that share a heading. */
export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  return (
    <nav aria-label={label}>
      <ul className={styles.tabs}>
        {tabs.map(({ name, unread = 0, href, onClick }) => (
          <li key={name}>
            <a href={href} aria-current={name === current ? 'page' : undefined} onClick={onClick}>
              {name}
              {unread > 0 && (
                <>
                  {' '}
                  <span className={styles.unread}>{unread}</span>
                </>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
