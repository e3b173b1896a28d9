import type { MouseEvent } from 'react';
import { addresses } from '#contract/addresses.ts';
import { usePerform } from '../../features/session/actions.ts';
import { useSessionState } from '../../features/session/session.ts';
import hidden from '../../ui/visually-hidden.module.css';
import { Icon } from '../../ui/icon.tsx';
import styles from './bottom-bar.module.css';
import { useScrolledDown } from './use-scrolled-down.ts';

const [feedPath, settingsPath] = [addresses.feed.href(), addresses.settings.href()];

export function BottomBar({ activePath }: { activePath: string }) {
  const perform = usePerform();
  const visitor = useSessionState().is === 'signed-out';
  const away = useScrolledDown();

  const askFirst = (event: MouseEvent) => {
    event.preventDefault();
    perform({ kind: 'visit', path: settingsPath });
  };
  return (
    <nav className={styles.bar} aria-label="Нижняя панель" data-away={away}>
      <a href={feedPath} className={styles.item} aria-current={activePath === feedPath ? 'page' : undefined}>
        <Icon name="feed" />
        <span className={hidden.always}>Лента</span>
      </a>
      <button
        type="button"
        className={styles.create}
        aria-keyshortcuts="N"
        onClick={() => perform({ kind: 'new-post' })}
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
