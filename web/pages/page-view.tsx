import { type ReactNode, useEffect } from 'react';
import { type OnDemand, onDemand, useOnDemand } from '../lib/on-demand.ts';
import type { Screen } from '../router/screen.ts';
import { RetrySessionButton } from '../features/session/session-failure-line.tsx';
import { FailedNotice, Notice } from '../ui/notice.tsx';
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

/** The content of a page before its data is loaded. In the browser `door` is there when a page without data is hydrated. */
function Skeleton({ screen, children }: SkeletonProps) {
  const here = door.here();
  return (
    <>
      {here && <here.SignInAhead screen={screen} />}
      {children}
    </>
  );
}

function Door({ screen, children }: SkeletonProps) {
  const { thing, failure, retry } = useOnDemand(door, true);
  if (failure !== null) return <FailedNotice message={failure} onRetry={retry} />;
  return thing ? <thing.SignInNeeded screen={screen} /> : children;
}
