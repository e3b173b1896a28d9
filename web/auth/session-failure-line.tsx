import { RetrySessionButton } from './retry-session-button.tsx';
import { useSessionState } from './session-context.ts';
import styles from './session-failure-line.module.css';

/** Tells somebody who may be signed in why the page treats them as a visitor. The region is there before it speaks. */
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
