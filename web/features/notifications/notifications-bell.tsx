import { addresses } from '#contract/addresses.ts';
import { useObservable } from '../../lib/observable.ts';
import { unreadNotifications } from '../posts/store/fetch-post-page.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './notifications-bell.module.css';

const path = addresses.notifications.href();
const shownAtMost = 99;

/** Links to the notifications and shows how many are unread. */
export function NotificationsBell({ activePath }: { activePath: string }) {
  const unread = useObservable(unreadNotifications);
  return (
    <a
      href={path}
      className={styles.bell}
      aria-label={unread > 0 ? `Ответы мне, непрочитанных: ${unread}` : 'Ответы мне'}
      aria-current={activePath === path ? 'page' : undefined}
    >
      <Icon name="bell" />
      {unread > 0 && <span className={styles.count}>{unread > shownAtMost ? `${shownAtMost}+` : unread}</span>}
    </a>
  );
}
