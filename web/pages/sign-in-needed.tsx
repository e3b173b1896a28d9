import type { ReactNode } from 'react';
import { addresses } from '#contract/addresses.ts';
import { shownContact } from '#contract/page-data.ts';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { usePerform } from '../features/session/actions.ts';
import { needsCode, whoMayCome } from '../features/sign-in/who-may-come.ts';
import { useClientSettings } from '../lib/client-settings.ts';
import { missingDescription, type Screen } from '../router/screen.ts';
import { Button } from '../ui/button.tsx';
import { Notice, type Picture } from '../ui/notice.tsx';
import { WallMark } from '../ui/wall-sign.tsx';
import { NotFoundNotice } from './not-found.tsx';
import styles from './page-view.module.css';

/** The name of the page to sign in for. Null for pages that do not exist for most people. */
function useOfferedName({ page, params }: Screen): string | null {
  const { heading, title = heading } = page.describe(params, null, usePostStore());
  const isForKeepers = page.access === 'user' && page.missing !== undefined;
  return isForKeepers || heading === missingDescription.heading ? null : title;
}

/** Completes «Войдите, чтобы …». */
const offers: Readonly<Record<string, string>> = {
  [addresses.search.path]: 'искать записи и ответы',
  [addresses.postActions.path]: 'ответить или сохранить',
  [addresses.userActions.path]: 'следить за автором',
  [addresses.postEdit.path]: 'изменить написанное',
  [addresses.postDeletion.path]: 'удалить написанное',
  [addresses.postReport.path]: 'пожаловаться',
};

interface AskToSignInProps {
  screen: Screen;
  name: string;
  action: ReactNode;
}

/** A door in the wall, and light in the keyhole. */
const door: Picture = [
  'M3 46h34v12H3zM83 46h34v12H83zM3 30h14v12H3zM103 30h14v12h-14z',
  'M66 38v4',
  'M44 58V22c0-22 32-22 32 0v36z',
];

/** Asks to sign in. On a closed wall it also says whose wall this is, how a newcomer enters and whom to ask. */
function AskToSignIn({ screen: { page, path }, name, action }: AskToSignInProps) {
  const { appName, intro, isClosed, registration, contact } = useClientSettings();
  if (!isClosed)
    return (
      <Notice
        title="Нужно войти"
        text={`Войдите, чтобы ${offers[page.address.path] ?? `открыть «${name}»`}`}
        picture={door}
        action={action}
      />
    );
  const isByInvitation = needsCode(registration);
  return (
    <section className={styles.door}>
      <WallMark />
      <h2>{appName}</h2>
      {intro !== undefined && <p className={styles.line}>{intro}</p>}
      <p className={styles.quiet}>Читают только участники. {!isByInvitation && whoMayCome[registration]}</p>
      {action}
      {isByInvitation && (
        <a href={addresses.signIn.href({}, { next: path })} className={styles.link}>
          У меня есть приглашение
        </a>
      )}
      {contact && (
        <p className={styles.line}>
          Кому писать:{' '}
          <a href={contact} className={styles.link}>
            {shownContact(contact)}
          </a>
        </p>
      )}
    </section>
  );
}

/** Names the page to sign in for. The sign-in leads back to the page. */
export function SignInNeeded({ screen }: { screen: Screen }) {
  const { isClosed } = useClientSettings();
  const name = useOfferedName(screen);
  const perform = usePerform();
  const signIn = (
    <form
      action={addresses.signIn.href()}
      onSubmit={(event) => {
        event.preventDefault();
        perform({ kind: 'visit' });
      }}
    >
      <input type="hidden" name="next" value={screen.path} />
      <Button type="submit" variant="primary">
        Войти
      </Button>
    </form>
  );
  return (
    <div data-bare={isClosed}>
      {name === null ? <NotFoundNotice action={signIn} /> : <AskToSignIn screen={screen} name={name} action={signIn} />}
    </div>
  );
}

/**
 * Asks visitors to sign in before the data of a page for members is loaded. The style hides the question from members, and the skeleton
 * after it from visitors, from the first paint.
 */
export function SignInAhead({ screen }: { screen: Screen }) {
  const { isClosed } = useClientSettings();
  // A public page without content of the server is only loading.
  if (!isClosed && screen.page.access === 'public' && !('shown' in screen)) return null;
  return (
    <div className={styles.ahead}>
      <SignInNeeded screen={screen} />
    </div>
  );
}
