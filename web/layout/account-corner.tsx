import { AnswersBell } from '../answers/answers-bell.tsx';
import { useIntend } from '../auth/intent-context.ts';
import { useSessionState } from '../auth/session-context.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import styles from './account-corner.module.css';

/**
 * The way in, or to one's own settings and what one was answered. While it is not known who is here both faces stand in the markup, the same for
 * everyone; what the last sign-in left decides which one shows.
 */
export function AccountCorner({ activePath }: { activePath: string }) {
  const session = useSessionState();
  const intend = useIntend();

  if (session.is === 'authorized') {
    return (
      <>
        <a href="/settings" className={styles.profile}>
          <Icon name="person" />
          <bdi className={styles.name}>{session.user.username}</bdi>
        </a>
        {/* Last, where it stays whatever the name beside it. */}
        <span className={styles.bell}>
          <AnswersBell activePath={activePath} />
        </span>
      </>
    );
  }
  return (
    <span className={styles.corner} data-undecided={session.is === 'authorizing'}>
      <span className={styles.signIn}>
        <Button onClick={() => intend({ kind: 'visit' })}>Войти</Button>
      </span>
      <span className={styles.skeleton} aria-hidden="true" />
      <span className={styles.bellSkeleton} aria-hidden="true" />
    </span>
  );
}
