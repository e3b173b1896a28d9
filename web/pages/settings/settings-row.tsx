import { Icon } from '../../ui/icon.tsx';
import styles from './settings-row.module.css';

interface RowProps {
  href: string;
  name: string;
  /** The second line: the current value of the setting, or what is there. */
  value?: string | undefined;
  /** The link leads to a file. */
  isFile?: boolean;
}

export function Row({ href, name, value, isFile = false }: RowProps) {
  return (
    <a href={href} download={isFile || undefined} className={styles.row} data-valued={Boolean(value)}>
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
