import { type ReactNode, useEffect } from 'react';
import { addresses } from '#contract/addresses.ts';
import { shownContact } from '#contract/page-data.ts';
import { missingDescription, type Screen } from '../router/screen.ts';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { usePerform } from '../features/session/actions.ts';
import { RetrySessionButton } from '../features/session/session-failure-line.tsx';
import { needsCode, whoMayCome } from '../features/sign-in/who-may-come.ts';
import { useClientSettings } from '../lib/client-settings.ts';
import { Button } from '../ui/button.tsx';
import { FailedNotice, Notice, type Picture } from '../ui/notice.tsx';
import { NotFoundNotice } from './not-found.tsx';
import styles from './page-view.module.css';
import { PostSkeletons } from '../features/posts/card/post-card-skeleton.tsx';

interface PageViewProps {
  screen: Screen;
  onRetry: () => void;
  onReveal: () => void;
}

export function PageView(props: PageViewProps) {
  const { screen } = props;
  const { Frame } = screen.page;
  const content = <PageContent {...props} />;
  if (!Frame) return content;
  return (
    <Frame shown={('shown' in screen && screen.shown) || null} isAsked={screen.is === 'sign-in-needed'}>
      {content}
    </Frame>
  );
}

function PageContent({ screen, onRetry, onReveal }: PageViewProps) {
  const { page, params } = screen;
  const { skeleton = <PostSkeletons /> } = page;
  switch (screen.is) {
    case 'ready':
      return <page.Component key={screen.shown.list} {...screen.shown} params={params} />;
    case 'secured':
      if (!page.load) return <page.Component params={params} />;
      return (
        <Unloaded screen={screen} onReveal={onReveal}>
          {skeleton}
        </Unloaded>
      );
    case 'loading':
      return (
        <ScriptedSkeleton screen={screen}>
          {page.Preview ? <page.Preview key={screen.path} params={params} /> : skeleton}
        </ScriptedSkeleton>
      );
    case 'failed': {
      const failure = <FailedNotice message={screen.message} onRetry={onRetry} />;
      return page.Preview ? <page.Preview key={screen.path} params={params} failure={failure} /> : failure;
    }
    case 'session-failed':
      return (
        <Notice title="Не удалось загрузить" text={screen.message} picture={null} action={<RetrySessionButton />} />
      );
    case 'sign-in-needed':
      return <SignInNeeded screen={screen} />;
  }
}

interface SkeletonProps {
  screen: Screen;
  children: ReactNode;
}

/** The server does not know the reader and sent the page without its list. Now the reader is known. */
function Unloaded({ screen, children, onReveal }: SkeletonProps & Pick<PageViewProps, 'onReveal'>) {
  useEffect(() => {
    onReveal();
  }, [onReveal]);
  return <ScriptedSkeleton screen={screen}>{children}</ScriptedSkeleton>;
}

/** The skeleton of a page for signed-in people, or a notice for readers without JavaScript. */
function ScriptedSkeleton({ screen, children }: SkeletonProps) {
  const name = useOfferedName(screen);
  const feed = (
    <a href={addresses.feed.href()} className={styles.link}>
      Лента
    </a>
  );
  return (
    <>
      <noscript>
        {/* React never renders the content of <noscript> in the browser. */}
        {import.meta.env.SSR &&
          (name === null ? (
            <NotFoundNotice action={feed} />
          ) : (
            <AskToSignIn
              screen={screen}
              name={name}
              action={
                <a href={addresses.signIn.href({}, { next: screen.path })} className={styles.link}>
                  Войти
                </a>
              }
            />
          ))}
      </noscript>
      <div className={styles.scripted}>{children}</div>
    </>
  );
}

/** The name of a page that offers to sign in. Null for pages that do not exist for most people. */
function useOfferedName({ page, params }: Screen): string | null {
  const { heading, title = heading } = page.describe(params, null, usePostStore());
  const isForKeepers = page.access === 'user' && page.missing !== undefined;
  return isForKeepers || heading === missingDescription.heading ? null : title;
}

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

/** On a closed wall every page is the wall's door: it says whose wall this is, who may come and whom to ask. */
function AskToSignIn({ screen: { page, path }, name, action }: AskToSignInProps) {
  const { appName, intro, isClosed, registration, contact } = useClientSettings();
  if (!isClosed)
    return (
      <Notice
        title="Нужно войти"
        text={`Войдите, чтобы ${page.offers ?? `открыть «${name}»`}`}
        picture={door}
        action={action}
      />
    );
  return (
    <Notice
      title={appName}
      picture={door}
      text={intro}
      action={
        <>
          <p className={styles.quiet}>Читают только участники. {whoMayCome[registration]}</p>
          {action}
          {needsCode(registration) && (
            <a href={addresses.signIn.href({}, { next: path })} className={styles.link}>
              У меня есть приглашение
            </a>
          )}
          <p className={styles.quiet}>
            Кому писать: <a href={contact}>{shownContact(contact)}</a>
          </p>
        </>
      }
    />
  );
}

/** Says what is there. Signing in leads back to the page. */
function SignInNeeded({ screen }: { screen: Screen }) {
  const name = useOfferedName(screen);
  const perform = usePerform();
  const signIn = (
    <Button variant="primary" onClick={() => perform({ kind: 'visit' })}>
      Войти
    </Button>
  );
  return name === null ? (
    <NotFoundNotice action={signIn} />
  ) : (
    <AskToSignIn screen={screen} name={name} action={signIn} />
  );
}
