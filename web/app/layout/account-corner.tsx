import { addresses } from '#contract/addresses.ts';
import { shownName } from '#contract/username.ts';
import { usePerform } from '../../features/session/actions.ts';
import { useSessionState } from '../../features/session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Face } from '../../ui/face.tsx';
import { LinkForm } from '../../ui/link-form.tsx';
import styles from './account-corner.module.css';

/**
 * The sign-in button, or the reader's name with a link to the settings. While the session is unknown the markup is the
 * same for everyone and has both; CSS shows one of them by the flag that the last sign-in stored.
 */
export function AccountCorner({ path, isAsked }: { path: string; isAsked: boolean }) {
  const session = useSessionState();
  const perform = usePerform();

  if (session.is === 'authorized') {
    return (
      <a href={addresses.settings.href()} className={styles.profile}>
        <Face id={session.user.id} />
        <bdi className={styles.name}>{shownName(session.user)}</bdi>
      </a>
    );
  }
  if (isAsked) return null;
  return (
    <span className={styles.corner} data-undecided={session.is === 'authorizing'}>
      <span className={styles.signIn}>
        <LinkForm to={addresses.signIn.href()} next={path}>
          <Button type="submit" onClick={() => perform({ kind: 'visit' })}>
            Войти
          </Button>
        </LinkForm>
      </span>
      <span className={styles.skeleton} aria-hidden="true" />
    </span>
  );
}
