import { useEffect } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { decisions } from '../../features/moderation/show-decision.ts';
import { unreadNotifications, waitingAtDesk } from '../../features/posts/store/viewer-counts.ts';
import { useSessionState } from '../../features/session/session.ts';
import { useLoaded } from '../../features/session/use-loaded.ts';
import { call } from '../../lib/api.ts';
import { useObservable } from '../../lib/observable.ts';
import { Face } from '../../ui/face.tsx';
import icon from '../../ui/icon.module.css';
import styles from '../layout/section-link.module.css';

/** Shows a dot on the icon of the tab while there is something unread. */
function useUnreadIcon(): void {
  const hasUnread = useObservable(unreadNotifications) > 0;
  useEffect(() => {
    const show = (end: string) => {
      const shown = document.querySelector('link[rel=icon][type="image/svg+xml"]');
      shown?.setAttribute('href', shown.getAttribute('href')!.replace(/(-unread)?\./, end));
    };
    if (!hasUnread) return undefined;
    show('-unread.');
    return () => show('.');
  }, [hasUnread]);
}

export interface LinksProps {
  className: string;
  activePath: string;
}

const read = (signal: AbortSignal) => call('GET /moderation/reports/count', { signal });
const nothing = { open: 0, pending: 0 };
const shownAtMost = 99;
const name = 'Модерация';

const named = (what: string, n: number) => n > 0 && `${what}: ${n > shownAtMost ? `больше ${shownAtMost}` : n}`;

/**
 * The link to the desk with the number of reported posts and newcomers' posts that wait. A phone has no rail: the link is in the
 * settings, and the link to the settings has the number.
 */
function DeskLink({ className, activePath }: LinksProps) {
  const { loaded, load } = useLoaded(read);
  const { open, pending } = loaded.is === 'here' ? loaded.value : nothing;
  const count = open + pending;

  useEffect(() => {
    const look = () => {
      if (!document.hidden) void load();
    };
    const timer = setInterval(look, limits.pollMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [load]);

  const decided = useObservable(decisions);
  useEffect(() => void load(), [load, activePath, decided]);

  useEffect(() => {
    waitingAtDesk.set(count);
    return () => waitingAtDesk.set(0);
  }, [count]);

  const path = addresses.moderation.href();
  const words = [named('записей с жалобами', open), named('ждут проверки', pending)].filter(Boolean);
  return (
    <li>
      <a
        href={open === 0 && pending > 0 ? addresses.moderationWaiting.href() : path}
        className={className}
        aria-label={count > 0 ? [name, ...words].join(', ') : undefined}
        aria-current={activePath.startsWith(path) ? 'page' : undefined}
      >
        <span className={styles.icon}>
          <svg className={icon.icon} viewBox="0 0 24 24" aria-hidden="true">
            <path d="M12 3.5l7.5 2.7v5.3c0 4.3-3 7.5-7.5 9-4.5-1.5-7.5-4.7-7.5-9V6.2z M8.8 12l2.3 2.3 4.2-4.4" />
          </svg>
          {count > 0 && <span className={styles.count} data-count={count > shownAtMost ? `${shownAtMost}+` : count} />}
        </span>
        <span>{name}</span>
      </a>
    </li>
  );
}

export function Links(item: LinksProps) {
  const session = useSessionState();
  useUnreadIcon();
  if (session.is !== 'authorized') return null;
  const { user } = session;
  const path = addresses.user.href(user);
  const people = addresses.people.href();
  return (
    <>
      <li>
        <a href={people} className={item.className} aria-current={item.activePath === people ? 'page' : undefined}>
          <svg className={icon.icon} viewBox="0 0 24 24" aria-hidden="true">
            <path d="M9 4.5a3.4 3.4 0 1 0 0 6.8 3.4 3.4 0 0 0 0-6.8z M2.8 19.5c0-3.1 2.6-5.2 6.2-5.2s6.2 2.1 6.2 5.2 M15.6 4.9a3.4 3.4 0 0 1 0 6 M17.4 14.6c2.3.7 3.8 2.5 3.8 4.9" />
          </svg>
          <span>Люди</span>
        </a>
      </li>
      <li>
        <a href={path} className={item.className} aria-current={item.activePath === path ? 'page' : undefined}>
          <Face of={user} />
          <span>Моя страница</span>
        </a>
      </li>
      {user.role !== undefined && <DeskLink {...item} />}
    </>
  );
}
