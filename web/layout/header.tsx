import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { BrickMark } from '../ui/brick-mark.tsx';
import { Icon } from '../ui/icon.tsx';
import { AccountCorner } from './account-corner.tsx';
import styles from './header.module.css';

interface HeaderProps {
  title: string;
  topLevel: boolean;
  onBack: () => void;
}

export function Header({ title, topLevel, onBack }: HeaderProps) {
  return (
    <header className={styles.header}>
      {topLevel ? (
        <span className={styles.mark}>
          <BrickMark />
        </span>
      ) : (
        <button type="button" className={styles.back} aria-label="Назад" onClick={onBack}>
          <Icon name="back" />
        </button>
      )}
      {title !== '' && <h1 className={styles.title}>{title}</h1>}
      <div className={styles.tools}>
        <AccountCorner />
        {/* Last, where it stays whatever the name beside it. */}
        <span className={styles.theme}>
          <ThemeToggle />
        </span>
      </div>
    </header>
  );
}
