import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { ClientSettings } from '#contract/page.ts';
import type { Intent } from './auth/intent.ts';
import { IntentProvider } from './auth/intent-context.ts';
import { useSession, useSessionState } from './auth/session-context.ts';
import { SignInDialog } from './auth/sign-in-dialog.tsx';
import { useSignIn } from './auth/use-sign-in.ts';
import { AppShell } from './layout/app-shell.tsx';
import { describeView } from './pages/describe-view.ts';
import { Page } from './pages/page.tsx';
import { seenBy } from './pages/seen-by.ts';
import { usePostStore } from './posts/post-store-context.ts';
import { WritingSoonDialog } from './posts/writing-soon-dialog.tsx';
import type { Router } from './router/router.ts';
import { isSecured, matchRoute } from './router/routes.ts';

/** The page at the current address as its reader may see it, and the dialogs over it. */
export function AppScreen({ settings, router }: { settings: ClientSettings; router: Router }) {
  const screen = useSyncExternalStore(router.subscribe, router.screen, router.screen);
  const session = useSession();
  const view = seenBy(useSessionState(), screen.view);
  const { heading, title } = describeView(view, usePostStore(), settings.appName);
  const [writing, setWriting] = useState(false);
  const stopWriting = useCallback(() => setWriting(false), []);
  const allow = useCallback(({ kind }: Intent) => setWriting(kind !== 'visit'), []);
  const { intend, dialog } = useSignIn({ onAllowed: allow, onSignedIn: router.loadAnew });

  useEffect(() => {
    document.title = title;
  }, [title]);

  useEffect(
    () =>
      session.onEnd(() => {
        // The address leads: the page may still be on its way.
        if (isSecured(matchRoute(location.pathname))) router.toFeed();
      }),
    [session, router],
  );

  return (
    <IntentProvider value={intend}>
      <AppShell title={heading} appName={settings.appName} activePath={screen.path} onBack={router.back}>
        <Page view={view} onRetry={router.retry} onReveal={router.reveal} />
      </AppShell>
      <SignInDialog settings={settings} {...dialog} />
      {writing && <WritingSoonDialog onClose={stopWriting} />}
    </IntentProvider>
  );
}
