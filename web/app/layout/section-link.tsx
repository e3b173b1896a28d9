import type { MouseEvent } from 'react';
import { addresses } from '#contract/addresses.ts';
import { unreadNotifications } from '../../features/posts/store/fetch-notifications.ts';
import { usePerform } from '../../features/session/actions.ts';
import { useSessionState } from '../../features/session/session.ts';
import { useObservable } from '../../lib/observable.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './section-link.module.css';

/** Soft hyphens: large text breaks long names, and not every browser has a dictionary for `hyphens: auto`. */
const sections = {
  feed: { name: 'Лента', path: addresses.feed.href() },
  search: { name: 'Поиск', path: addresses.search.href() },
  bell: { name: 'Уве\u00adдом\u00adле\u00adния', path: addresses.notifications.href() },
  bookmark: { name: 'Со\u00adхра\u00adнён\u00adное', path: addresses.saved.href() },
  settings: { name: 'На\u00adстрой\u00adки', path: addresses.settings.href() },
} satisfies Partial<Record<IconName, object>>;

const feedTabs = [addresses.feed, addresses.discussed, addresses.following].map(({ path }) => path);

const shownAtMost = 99;

interface SectionLinkProps {
  section: keyof typeof sections;
  className: string;
  activePath: string;
}

/** A link of the rail or the bottom bar. Visitors sign in first, except for the feed and the search. */
export function SectionLink({ section, className, activePath }: SectionLinkProps) {
  const perform = usePerform();
  const session = useSessionState().is;
  const unread = useObservable(unreadNotifications);
  const { name, path } = sections[section];
  const isSecured = section !== 'feed' && section !== 'search';
  const count = section === 'bell' && session === 'authorized' ? unread : 0;

  const isActive = section === 'feed' ? feedTabs.includes(activePath) : activePath.startsWith(path);

  const askFirst = (event: MouseEvent) => {
    event.preventDefault();
    perform({ kind: 'visit', path });
  };
  return (
    <a
      href={path}
      className={className}
      aria-label={count > 0 ? `${name}, непрочитанных: ${count}` : undefined}
      aria-current={isActive ? 'page' : undefined}
      aria-keyshortcuts={section === 'search' ? '/' : undefined}
      onClick={session === 'signed-out' && isSecured ? askFirst : undefined}
    >
      <span className={styles.icon}>
        <Icon name={section} />
        {count > 0 && <span className={styles.count} data-count={count > shownAtMost ? `${shownAtMost}+` : count} />}
      </span>
      <span>{name}</span>
    </a>
  );
}
