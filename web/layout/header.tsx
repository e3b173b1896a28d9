import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { BrickMark } from '../ui/brick-mark.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './header.module.css';

interface HeaderProps {
  title: string;
  topLevel: boolean;
  onBack: () => void;
  onSignIn: () => void;
}

export function Header({ title, topLevel, onBack, onSignIn }: HeaderProps) {
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
        <span className={styles.theme}>
          <ThemeToggle />
        </span>
        <Button onClick={onSignIn}>Войти</Button>
      </div>
    </header>
  );
}
