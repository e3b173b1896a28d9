import visuallyHidden from '../ui/visually-hidden.module.css';
import { Icon } from '../ui/icon.tsx';
import styles from './theme-toggle.module.css';
import { currentTheme, showTheme, storeTheme } from './theme.ts';

/** The markup has both labels and CSS shows one of them, because the server does not know the theme. */
export function ThemeToggle({ shownIn }: { shownIn: 'header' | 'rail' | 'settings' }) {
  const toggle = () => {
    const theme = currentTheme() === 'dark' ? 'light' : 'dark';
    showTheme(theme);
    storeTheme(theme);
  };

  const label = shownIn === 'header' ? visuallyHidden.always : undefined;
  return (
    <button type="button" className={styles.toggle} data-in={shownIn} onClick={toggle}>
      <span className={styles.toLight}>
        <Icon name="sun" />
        <span className={label}>Светлая тема</span>
      </span>
      <span className={styles.toDark}>
        <Icon name="moon" />
        <span className={label}>Тёмная тема</span>
      </span>
    </button>
  );
}
