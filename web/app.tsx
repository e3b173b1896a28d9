import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { ClientSettings } from '#contract/page.ts';
import { SignInDialog } from './auth/sign-in-dialog.tsx';
import { AppShell } from './layout/app-shell.tsx';
import { ClockProvider } from './lib/clock.tsx';
import { describeView } from './pages/describe-view.ts';
import { Page } from './pages/page.tsx';
import { PostStoreProvider } from './posts/post-store-context.ts';
import type { PostStore } from './posts/post-store.ts';
import type { Router } from './router/router.ts';

interface AppProps {
  settings: ClientSettings;
  /** The moment the first page was made, on the server's clock. */
  madeAt: number;
  store: PostStore;
  router: Router;
}

export function App({ settings, madeAt, store, router }: AppProps) {
  const { path, view } = useSyncExternalStore(router.subscribe, router.screen, router.screen);
  const { heading, title } = describeView(view, store, settings.appName);
  const [signingIn, setSigningIn] = useState(false);
  const openSignIn = useCallback(() => setSigningIn(true), []);
  const closeSignIn = useCallback(() => setSigningIn(false), []);

  useEffect(() => {
    document.title = title;
  }, [title]);

  return (
    <ClockProvider startAt={madeAt}>
      <PostStoreProvider value={store}>
        <AppShell
          title={heading}
          appName={settings.appName}
          topLevel={view.kind === 'feed' || (view.kind === 'loading' && view.of.name === 'feed')}
          activePath={path}
          onBack={router.back}
          onNewPost={openSignIn}
          onSignIn={openSignIn}
        >
          <Page view={view} onSignIn={openSignIn} onRetry={router.retry} />
        </AppShell>
        <SignInDialog open={signingIn} onClose={closeSignIn} />
      </PostStoreProvider>
    </ClockProvider>
  );
}
