import { type ReactNode, useEffect } from 'react';
import { addresses } from '#contract/addresses.ts';
import { missingDescription, type Screen } from '../router/screen.ts';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { usePerform } from '../features/session/actions.ts';
import { RetrySessionButton } from '../features/session/retry-session-button.tsx';
import { Button } from '../ui/button.tsx';
import { FailedNotice, Notice } from '../ui/notice.tsx';
import { NotFoundNotice } from './not-found.tsx';
import styles from './page-view.module.css';
import { PostSkeletons } from './post-skeletons.tsx';

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
      return <Notice title="Не удалось загрузить" text={screen.message} action={<RetrySessionButton />} />;
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
  const heading = useOfferedHeading(screen);
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
          (heading === null ? (
            <NotFoundNotice action={feed} />
          ) : (
            <Notice
              title="Нужно войти"
              text={forSignedIn(heading)}
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

const forSignedIn = (heading: string): string => `«${heading}» — эту страницу видят только те, кто вошёл.`;

/** The heading of a page that offers to sign in. Null for pages that do not exist for most people. */
function useOfferedHeading({ page, params }: Screen): string | null {
  const { heading } = page.describe(params, null, usePostStore());
  return heading === missingDescription.heading ? null : heading;
}

/** Says what is there. Signing in leads back to the page. */
function SignInNeeded({ screen }: { screen: Screen }) {
  const heading = useOfferedHeading(screen);
  const perform = usePerform();
  const signIn = (
    <Button variant="primary" onClick={() => perform({ kind: 'visit' })}>
      Войти
    </Button>
  );
  if (heading === null) return <NotFoundNotice action={signIn} />;
  return <Notice title="Нужно войти" text={forSignedIn(heading)} action={signIn} />;
}
