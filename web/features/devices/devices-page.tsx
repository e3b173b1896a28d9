import { useEffect, useRef, useState } from 'react';
import { listSessions, type OwnSession } from '#contract/sessions.ts';
import { call } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { FailedNotice } from '../../ui/notice.tsx';
import page from '../../ui/list-page.module.css';
import { CloseOthersDialog } from './close-others-dialog.tsx';
import { GroupsSkeleton } from '../../ui/groups-skeleton.tsx';
import { SessionDialog } from './session-dialog.tsx';
import { SessionSummary } from './session-summary.tsx';
import styles from './devices-page.module.css';
import { useOwnList } from '../session/use-loaded.ts';
import { Icon } from '../../ui/icon.tsx';

const readSessions = async (signal: AbortSignal) => (await call(listSessions, { signal })).sessions;

/** The sessions of the signed-in person, with buttons that end the others. */
export function DevicesPage() {
  const { state, retry, change } = useOwnList(readSessions);
  const [chosen, setChosen] = useState<OwnSession | null>(null);
  const [closingOthers, setClosingOthers] = useState(false);
  const [closings, setClosings] = useState(0);
  const othersHeading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    // The element with the focus has been removed.
    if (closings > 0) othersHeading.current?.focus();
  }, [closings]);

  if (state.is === 'loading') return <GroupsSkeleton />;
  if (state.is === 'failed') return <FailedNotice message={state.message} onRetry={retry} />;

  const current = state.items.find((session) => session.current);
  const others = state.items.filter((session) => !session.current);
  const leave = (isKept: (session: OwnSession) => boolean) => {
    setChosen(null);
    setClosingOthers(false);
    setClosings((count) => count + 1);
    change((sessions) => sessions.filter(isKept));
  };

  return (
    <>
      <section aria-labelledby="current-session">
        <h2 id="current-session" className={page.heading}>
          Текущий сеанс
        </h2>
        {current && (
          <div className={styles.session}>
            <SessionSummary session={current} />
          </div>
        )}
      </section>
      <section aria-labelledby="other-sessions">
        <h2 id="other-sessions" ref={othersHeading} tabIndex={-1} className={page.heading}>
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
  if (sessions.length === 0) return <p className={page.none}>Других сеансов нет</p>;
  return (
    <>
      <ul className={page.list}>
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
