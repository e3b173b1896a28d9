import hidden from '../ui/hidden.module.css';
import { Icon } from '../ui/icon.tsx';
import styles from './bottom-bar.module.css';
import { useScrolledDown } from './use-scrolled-down.ts';

interface BottomBarProps {
  activePath: string;
  onNewPost: () => void;
}

export function BottomBar({ activePath, onNewPost }: BottomBarProps) {
  const away = useScrolledDown();
  return (
    <nav className={styles.bar} aria-label="Нижняя панель" data-away={away}>
      <a href="/" className={styles.item} aria-current={activePath === '/' ? 'page' : undefined}>
        <Icon name="feed" />
        <span className={hidden.always}>Лента</span>
      </a>
      <button type="button" className={styles.create} onClick={onNewPost}>
        <Icon name="pencil" />
        <span className={hidden.always}>Новая запись</span>
      </button>
      <a
        href="/settings"
        className={styles.item}
        aria-current={activePath.startsWith('/settings') ? 'page' : undefined}
      >
        <Icon name="settings" />
        <span className={hidden.always}>Настройки</span>
      </a>
    </nav>
  );
}
