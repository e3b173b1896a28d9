import type { MouseEvent } from 'react';
import styles from './tabs.module.css';

export interface Tab {
  name: string;
  href: string;
  onClick?: ((event: MouseEvent) => void) | undefined;
}

/** Links to the pages that share a heading. */
export function Tabs({ label, tabs, current }: { label: string; tabs: readonly Tab[]; current: string }) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      {tabs.map(({ name, href, onClick }) => (
        <a key={name} href={href} aria-current={name === current ? 'page' : undefined} onClick={onClick}>
          {name}
        </a>
      ))}
    </nav>
  );
}
