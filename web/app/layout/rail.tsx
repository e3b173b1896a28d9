import { addresses } from '#contract/addresses.ts';
import { usePerform } from '../../features/session/actions.ts';
import { ThemeToggle } from '../theme/theme-toggle.tsx';
import { BrickMark } from '../../ui/brick-mark.tsx';
import hidden from '../../ui/visually-hidden.module.css';
import { Icon } from '../../ui/icon.tsx';
import styles from './rail.module.css';

const feedPath = addresses.feed.href();

export function Rail({ appName, activePath }: { appName: string; activePath: string }) {
  const perform = usePerform();
  return (
    <nav className={styles.rail} aria-label="Разделы">
      <a href={feedPath} className={styles.home}>
        <BrickMark />
        <span className={hidden.untilWide}>{appName}</span>
      </a>
      <a href={feedPath} className={styles.item} aria-current={activePath === feedPath ? 'page' : undefined}>
        <Icon name="feed" />
        <span className={hidden.untilWide}>Лента</span>
      </a>
      <button
        type="button"
        className={styles.create}
        aria-keyshortcuts="N"
        onClick={() => perform({ kind: 'new-post' })}
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
