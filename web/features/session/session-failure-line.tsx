import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './session-failure-line.module.css';
import { useSession, useSessionState } from './session.ts';

export function RetrySessionButton() {
  const session = useSession();
  const [busy, setBusy] = useState(false);
  const retry = async () => {
    setBusy(true);
    await session.retry();
    setBusy(false);
  };
  return (
    <Button busy={busy} onClick={() => void retry()}>
      Повторить
    </Button>
  );
}

/** Explains to somebody who may be signed in why they see the page as a visitor. The region is always there, usually empty. */
export function SessionFailureLine() {
  const session = useSessionState();
  const failed = session.is === 'signed-out' && session.failure !== undefined;
  return (
    <div role="status" className={styles.line}>
      {failed && (
        <>
          <span>Профиль не загрузился. Пока вы здесь как гость.</span>
          <RetrySessionButton />
        </>
      )}
    </div>
  );
}
