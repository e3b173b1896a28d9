import type { OwnSession } from '#contract/sessions.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './devices-page.module.css';
import { SessionSummary } from './session-summary.tsx';

interface OtherSessionsProps {
  sessions: OwnSession[];
  onChoose: (session: OwnSession) => void;
  onCloseAll: () => void;
}

export function OtherSessions({ sessions, onChoose, onCloseAll }: OtherSessionsProps) {
  if (sessions.length === 0) return <p className={styles.none}>Других сеансов нет</p>;
  return (
    <>
      <ul className={styles.list}>
        {sessions.map((session) => (
          <li key={session.id}>
            <button type="button" className={styles.session} aria-haspopup="dialog" onClick={() => onChoose(session)}>
              <SessionSummary session={session} />
              <span className={styles.more}>
                <Icon name="chevron" />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.end}>
        <Button aria-haspopup="dialog" onClick={onCloseAll}>
          Завершить другие сеансы
        </Button>
      </div>
    </>
  );
}
