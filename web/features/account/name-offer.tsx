import { addresses } from '#contract/addresses.ts';
import iconButton from '../../ui/icon-button.module.css';
import { Icon } from '../../ui/icon.tsx';
import styles from './name-offer.module.css';

interface NameOfferProps {
  username: string;
  onDecline: () => void;
}

/**
 * A line at the bottom of the window. The session becomes known only after the feed is on screen: a line above the posts
 * would move them.
 */
export function NameOffer({ username, onDecline }: NameOfferProps) {
  const decline = () => {
    // The button with the focus is removed.
    document.querySelector('main')?.focus({ preventScroll: true });
    onDecline();
  };
  return (
    <aside className={styles.place} aria-label="Имя пользователя">
      <div className={styles.line}>
        <p className={styles.text}>
          <span>
            Ваше имя пока <bdi className={styles.name}>{username}</bdi>.
          </span>{' '}
          <a href={addresses.settingsUsername.href()} className={styles.link}>
            Выбрать своё
          </a>
        </p>
        <button type="button" className={iconButton.button} aria-label="Не сейчас" onClick={decline}>
          <Icon name="close" />
        </button>
      </div>
    </aside>
  );
}
