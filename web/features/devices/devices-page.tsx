import { useEffect, useRef, useState } from 'react';
import type { OwnSession } from '#contract/sessions.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CloseOthersDialog } from './close-others-dialog.tsx';
import { DevicesSkeleton } from './devices-skeleton.tsx';
import { SessionDialog } from './session-dialog.tsx';
import { SessionSummary } from './session-summary.tsx';
import styles from './devices-page.module.css';
import { useSessions } from './use-sessions.ts';
import { Icon } from '../../ui/icon.tsx';

/** The sessions of the signed-in person, with buttons that end the others. */
export function DevicesPage() {
  const { state, retry, keepOnly } = useSessions();
  const [chosen, setChosen] = useState<OwnSession | null>(null);
  const [closingOthers, setClosingOthers] = useState(false);
  const [closings, setClosings] = useState(0);
  const othersHeading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    // The element with the focus has been removed.
    if (closings > 0) othersHeading.current?.focus();
  }, [closings]);

  if (state.is === 'loading') return <DevicesSkeleton />;
  if (state.is === 'failed') {
    return (
      <Notice title="Не удалось загрузить" text={state.message} action={<Button onClick={retry}>Повторить</Button>} />
    );
  }

  const current = state.sessions.find((session) => session.current);
  const others = state.sessions.filter((session) => !session.current);
  const leave = (isKept: (session: OwnSession) => boolean) => {
    setChosen(null);
    setClosingOthers(false);
    setClosings((count) => count + 1);
    keepOnly(isKept);
  };

  return (
    <>
      <section aria-labelledby="current-session">
        <h2 id="current-session" className={styles.heading}>
          Текущий сеанс
        </h2>
        {current && (
          <div className={styles.session}>
            <SessionSummary session={current} />
          </div>
        )}
      </section>
      <section aria-labelledby="other-sessions">
        <h2 id="other-sessions" ref={othersHeading} tabIndex={-1} className={styles.heading}>
          Другие сеансы
        </h2>
        <OtherSessions sessions={others} onChoose={setChosen} onCloseAll={() => setClosingOthers(true)} />
      </section>
      <SessionDialog
        session={chosen}
        onClosed={(closed) => leave(({ id }) => id !== closed.id)}
        onClose={() => setChosen(null)}
      />
      <CloseOthersDialog
        open={closingOthers}
        onClosed={() => leave((session) => session.current)}
        onClose={() => setClosingOthers(false)}
      />
    </>
  );
}

interface OtherSessionsProps {
  sessions: OwnSession[];
  onChoose: (session: OwnSession) => void;
  onCloseAll: () => void;
}

function OtherSessions({ sessions, onChoose, onCloseAll }: OtherSessionsProps) {
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
