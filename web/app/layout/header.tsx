import { addresses } from '#contract/addresses.ts';
import { ThemeToggle } from '../../theme/theme-toggle.tsx';
import { BrickMark } from '../../ui/brick-mark.tsx';
import iconButton from '../../ui/icon-button.module.css';
import { Icon } from '../../ui/icon.tsx';
import { AccountCorner } from './account-corner.tsx';
import { feedViewAt } from '../../pages/feed-views.ts';
import styles from './header.module.css';
import { ViewSwitcher } from './view-switcher.tsx';

interface HeaderProps {
  title: string;
  path: string;
  /** The page itself asks to sign in. */
  isAsked: boolean;
  onBack: () => void;
}

/** The views of the feed are the top level and have no Back button. */
export function Header({ title, path, isAsked, onBack }: HeaderProps) {
  const view = feedViewAt(path);
  return (
    <header className={styles.header}>
      {view ? (
        <span className={styles.mark}>
          <BrickMark />
        </span>
      ) : (
        <button type="button" className={`${iconButton.button} ${styles.back}`} aria-label="Назад" onClick={onBack}>
          <Icon name="back" />
        </button>
      )}
      <div className={styles.name}>
        {title !== '' && <h1 className={styles.title}>{title}</h1>}
        {view && <ViewSwitcher key={path} current={view} />}
      </div>
      <div className={styles.tools}>
        <a href={addresses.search.href()} className={`${iconButton.button} ${styles.search}`} aria-label="Поиск">
          <Icon name="search" />
        </a>
        <AccountCorner path={path} isAsked={isAsked} />
        <span className={styles.theme}>
          <ThemeToggle place="header" />
        </span>
      </div>
    </header>
  );
}
