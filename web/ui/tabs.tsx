import type { MouseEvent } from 'react';
import styles from './tabs.module.css';

export interface Tab {
  name: string;
  /** How many things are new there. */
  news?: number;
  href: string;
  onClick?: ((event: MouseEvent) => void) | undefined;
}

/** Links to the pages that share a heading. */
export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  return (
    <nav aria-label={label}>
      <ul className={styles.tabs}>
        {tabs.map(({ name, news = 0, href, onClick }) => (
          <li key={name}>
            <a href={href} aria-current={name === current ? 'page' : undefined} onClick={onClick}>
              {name}
              {news > 0 && (
                <>
                  {' '}
                  <span className={styles.news}>{news}</span>
                </>
              )}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
