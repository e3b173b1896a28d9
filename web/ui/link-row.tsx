import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './link-row.module.css';

interface LinkRowProps {
  id?: string;
  href: string;
  name: string;
  /** The second line: the current value of the setting, or what the page contains. */
  value?: ReactNode;
  /** The link leads to a file. */
  isFile?: boolean;
}

/** A row of a menu that leads to the page it names. */
export function LinkRow({ id, href, name, value, isFile = false }: LinkRowProps) {
  return (
    <a id={id} href={href} download={isFile || undefined} className={styles.row} data-valued={Boolean(value)}>
      <span className={styles.name}>{name}</span>
      {value && (
        <>
          {' '}
          <bdi className={styles.value}>{value}</bdi>
        </>
      )}
      {!isFile && (
        <span className={styles.onward}>
          <Icon name="chevron" />
        </span>
      )}
    </a>
  );
}
