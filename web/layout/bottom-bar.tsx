import type { MouseEvent } from 'react';
import { useIntend } from '../auth/intent-context.ts';
import { useSessionState } from '../auth/session-context.ts';
import hidden from '../ui/hidden.module.css';
import { Icon } from '../ui/icon.tsx';
import styles from './bottom-bar.module.css';
import { useScrolledDown } from './use-scrolled-down.ts';

const settingsPath = '/settings';

export function BottomBar({ activePath }: { activePath: string }) {
  const intend = useIntend();
  const visitor = useSessionState().is === 'signed-out';
  const away = useScrolledDown();

  const askFirst = (event: MouseEvent) => {
    event.preventDefault();
    intend({ kind: 'visit', path: settingsPath });
  };
  return (
    <nav className={styles.bar} aria-label="Нижняя панель" data-away={away}>
      <a href="/" className={styles.item} aria-current={activePath === '/' ? 'page' : undefined}>
        <Icon name="feed" />
        <span className={hidden.always}>Лента</span>
      </a>
      <button
        type="button"
        className={styles.create}
        aria-keyshortcuts="N"
        onClick={() => intend({ kind: 'new-post' })}
      >
        <Icon name="pencil" />
        <span className={hidden.always}>Новая запись</span>
      </button>
      <a
        href={settingsPath}
        className={styles.item}
        aria-current={activePath.startsWith(settingsPath) ? 'page' : undefined}
        onClick={visitor ? askFirst : undefined}
      >
        <Icon name="settings" />
        <span className={hidden.always}>Настройки</span>
      </a>
    </nav>
  );
}
