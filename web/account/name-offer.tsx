import { Icon } from '../ui/icon.tsx';
import styles from './name-offer.module.css';

interface NameOfferProps {
  username: string;
  onDecline: () => void;
}

/**
 * A line over the feed, at the foot of the window. Who is here becomes known after the feed is on screen, as its HTML is
 * the same for everyone: a line above the posts would push them away from under the reader's eyes.
 */
export function NameOffer({ username, onDecline }: NameOfferProps) {
  const decline = () => {
    // The button that has the focus goes away.
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
          <a href="/settings/account/username" className={styles.link}>
            Выбрать своё
          </a>
        </p>
        <button type="button" className={styles.close} aria-label="Не сейчас" onClick={decline}>
          <Icon name="close" />
        </button>
      </div>
    </aside>
  );
}
