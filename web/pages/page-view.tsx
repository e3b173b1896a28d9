import { type ReactNode, useEffect } from 'react';
import { addresses } from '#contract/addresses.ts';
import { missingDescription, type Screen } from '../app/router/screen.ts';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { usePerform } from '../features/session/actions.ts';
import { RetrySessionButton } from '../features/session/retry-session-button.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { FailedNotice } from '../ui/failed-notice.tsx';
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
      return page.load ? <Unloaded onReveal={onReveal}>{skeleton}</Unloaded> : <page.Component params={params} />;
    case 'loading':
      if (page.Preview) return <page.Preview key={screen.path} params={params} />;
      return <ScriptedSkeleton>{skeleton}</ScriptedSkeleton>;
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

/** The server does not know the reader and sent the page without its list. Now the reader is known. */
function Unloaded({ children, onReveal }: { children: ReactNode; onReveal: () => void }) {
  useEffect(() => {
    onReveal();
  }, [onReveal]);
  return <ScriptedSkeleton>{children}</ScriptedSkeleton>;
}

/** The skeleton of a page for signed-in people, or a notice for readers without JavaScript. */
function ScriptedSkeleton({ children }: { children: ReactNode }) {
  return (
    <>
      <noscript>
        {/* React never renders the content of <noscript> in the browser. */}
        {import.meta.env.SSR && (
          <Notice
            title="Нужен JavaScript"
            text="Эту страницу видят только те, кто вошёл, и без JavaScript она не открывается. Включите его в настройках браузера. Ленту можно читать и без него."
            action={
              <a href={addresses.feed.href()} className={styles.link}>
                Лента
              </a>
            }
          />
        )}
      </noscript>
      <div className={styles.scripted}>{children}</div>
    </>
  );
}

/** Says what is there, except for pages that do not exist for most people. Signing in leads back to the page. */
function SignInNeeded({ screen: { page, params } }: { screen: Screen }) {
  const { heading } = page.describe(params, null, usePostStore());
  const perform = usePerform();
  const signIn = (
    <Button variant="primary" onClick={() => perform({ kind: 'visit' })}>
      Войти
    </Button>
  );
  if (heading === missingDescription.heading) return <NotFoundNotice action={signIn} />;
  return (
    <Notice title="Нужно войти" text={`«${heading}» — эту страницу видят только те, кто вошёл.`} action={signIn} />
  );
}
