import { type ReactNode, useEffect } from 'react';
import { type OnDemand, onDemand, useOnDemand } from '../lib/on-demand.ts';
import { useClientSettings } from '../lib/client-settings.ts';
import type { Screen } from '../router/screen.ts';
import { RetrySessionButton } from '../features/session/session-failure-line.tsx';
import { FailedNotice, Notice } from '../ui/notice.tsx';
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
    <Frame shown={('shown' in screen && screen.shown) || null} asksToSignIn={screen.is === 'sign-in-needed'}>
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
        <Skeleton screen={screen}>
          {page.Preview ? <page.Preview key={screen.path} params={params} /> : skeleton}
        </Skeleton>
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
      return <Door screen={screen}>{skeleton}</Door>;
  }
}

interface SkeletonProps {
  screen: Screen;
  children: ReactNode;
}

/** Loads the data of a page that the server sent without it, because it did not know the reader. */
function Unloaded({ screen, children, onReveal }: SkeletonProps & Pick<PageViewProps, 'onReveal'>) {
  useEffect(() => {
    onReveal();
  }, [onReveal]);
  return <Skeleton screen={screen}>{children}</Skeleton>;
}

/** The code that asks to sign in. Most pages do not need it, so a browser loads it on demand; the server loads it at its start. */
export const door: OnDemand<typeof import('./sign-in-needed.tsx')> = onDemand(() => import('./sign-in-needed.tsx'));

/**
 * The content of a page before its data is loaded. The style shows the skeleton to members, and asks visitors of a page for members
 * to sign in from the first paint. In the browser the code for it is there when a page without data is hydrated.
 */
function Skeleton({ screen, children }: SkeletonProps) {
  const { isClosed } = useClientSettings();
  const needed = isClosed || screen.page.access === 'user' ? door.here() : undefined;
  return (
    <>
      {needed && (
        <div className={styles.door}>
          <needed.SignInNeeded screen={screen} />
        </div>
      )}
      <div className={styles.skeleton}>{children}</div>
    </>
  );
}

function Door({ screen, children }: SkeletonProps) {
  const { thing, failure, retry } = useOnDemand(door, true);
  if (failure !== null) return <FailedNotice message={failure} onRetry={retry} />;
  return thing ? <thing.SignInNeeded screen={screen} /> : children;
}
