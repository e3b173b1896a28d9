import { RetrySessionButton } from './retry-session-button.tsx';
import styles from './session-failure-line.module.css';
import { useSessionState } from './session.ts';

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
