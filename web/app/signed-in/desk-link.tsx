import { useEffect } from 'react';
import { addresses } from '#contract/addresses.ts';
import { limits } from '#contract/limits.ts';
import { countReports } from '#contract/moderation.ts';
import { useLoaded } from '../../features/session/use-loaded.ts';
import { call } from '../../lib/api.ts';
import icon from '../../ui/icon.module.css';
import styles from '../layout/section-link.module.css';

export interface ItemProps {
  className: string;
  activePath: string;
}

const read = (signal: AbortSignal) => call(countReports, { signal });
const nothing = { open: 0, pending: 0 };
const shownAtMost = 99;
/** Soft hyphens, as in the names of the other links. */
const name = 'Мо\u00adде\u00adра\u00adция';

const named = (what: string, n: number) => n > 0 && `${what}: ${n > shownAtMost ? `больше ${shownAtMost}` : n}`;

/** The way to the desk, with the number of posts that wait: reported ones, and those of newcomers. */
export function DeskLink({ className, activePath }: ItemProps) {
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

  // Decisions at the desk count when it is left.
  useEffect(() => void load(), [load, activePath]);

  const path = addresses.moderation.href();
  const words = [named('записей с жалобами', open), named('ждут проверки', pending)].filter(Boolean);
  return (
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
  );
}
