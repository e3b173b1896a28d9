import { useIntend } from '../auth/intent-context.ts';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { BrickMark } from '../ui/brick-mark.tsx';
import hidden from '../ui/hidden.module.css';
import { Icon } from '../ui/icon.tsx';
import styles from './rail.module.css';

export function Rail({ appName, activePath }: { appName: string; activePath: string }) {
  const intend = useIntend();
  return (
    <nav className={styles.rail} aria-label="Разделы">
      <a href="/" className={styles.home}>
        <BrickMark />
        <span className={hidden.untilWide}>{appName}</span>
      </a>
      <a href="/" className={styles.item} aria-current={activePath === '/' ? 'page' : undefined}>
        <Icon name="feed" />
        <span className={hidden.untilWide}>Лента</span>
      </a>
      <button
        type="button"
        className={styles.create}
        aria-keyshortcuts="N"
        onClick={() => intend({ kind: 'new-post' })}
      >
        <Icon name="pencil" />
        <span className={hidden.untilWide}>Новая запись</span>
      </button>
      <div className={styles.theme}>
        <ThemeToggle withLabel />
      </div>
    </nav>
  );
}
