import { Icon } from '../ui/icon.tsx';
import styles from './settings-page.module.css';

interface SettingsRowProps {
  href: string;
  name: string;
  value?: string;
}

/** Leads to where something is changed, and tells how it stands. */
export function SettingsRow({ href, name, value }: SettingsRowProps) {
  return (
    <a href={href} className={styles.row}>
      <span className={styles.name}>{name}</span>
      {value !== undefined && <bdi className={styles.value}>{value}</bdi>}
      <span className={styles.onward}>
        <Icon name="chevron" />
      </span>
    </a>
  );
}
