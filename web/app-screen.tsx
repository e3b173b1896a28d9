import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import type { ClientSettings } from '#contract/page.ts';
import { BlockedDialog } from './auth/blocked-dialog.tsx';
import { CodePauseProvider } from './auth/code-pause.ts';
import type { DialogIntent, Intent } from './auth/intent.ts';
import { IntentProvider } from './auth/intent-context.ts';
import { useSession, useSessionState } from './auth/session-context.ts';
import { SessionFailureLine } from './auth/session-failure-line.tsx';
import { SignInDialog } from './auth/sign-in-dialog.tsx';
import { useSignIn } from './auth/use-sign-in.ts';
import { AppShell } from './layout/app-shell.tsx';
import { matchHistory } from './lib/dialog-entry.ts';
import { showToast } from './lib/toasts.ts';
import { useMutes } from './mutes/mutes-context.ts';
import { useOwnQuietLines } from './mutes/use-own-quiet-lines.ts';
import { fetchAnswersAhead } from './pages/answers.ts';
import { describeView } from './pages/describe-view.ts';
import { Page } from './pages/page.tsx';
import { seenBy } from './pages/seen-by.ts';
import { fetchSettingsAhead } from './pages/settings.ts';
import { EditWindow } from './posts/edit-window-context.ts';
import { forgetDrafts } from './posts/forget-drafts.ts';
import type { Likes } from './posts/likes.ts';
import { PostDialog } from './posts/post-dialog.tsx';
import { usePostStore } from './posts/post-store-context.ts';
import { fetchMenuAhead, fetchWritingAhead } from './posts/writing.ts';
import type { Router } from './router/router.ts';
import { isSecured, matchRoute } from './router/routes.ts';
import { Toaster } from './ui/toaster.tsx';

interface AppScreenProps {
  settings: ClientSettings;
  router: Router;
  likes: Likes;
}

/** The page at the current address as its reader may see it, and the dialogs over it. */
export function AppScreen({ settings, router, likes }: AppScreenProps) {
  const screen = useSyncExternalStore(router.subscribe, router.screen, router.screen);
  const session = useSession();
  const sessionState = useSessionState();
  const view = seenBy(sessionState, screen.view);
  const store = usePostStore();
  const mutes = useMutes();
  const { heading, title } = describeView(view, store, settings.appName);
  const [dialogIntent, setDialogIntent] = useState<DialogIntent | null>(null);
  const closeDialog = useCallback(() => setDialogIntent(null), []);

  const allow = useCallback(
    (intent: Intent) => {
      if (intent.kind === 'like') likes.toggle(intent.postId);
      else if (intent.kind === 'mute') void mutes.change(intent.authorId, true);
      else if (intent.kind !== 'visit') setDialogIntent(intent);
    },
    [likes, mutes],
  );
  const { intend, dialog } = useSignIn({
    pauseSeconds: settings.codeResendSeconds,
    onAllowed: allow,
    onSignedIn: router.loadAnew,
  });

  useOwnQuietLines();

  useEffect(() => {
    document.title = title;
  }, [title]);

  useEffect(
    () =>
      session.onEnd((byChoice, { blocked }) => {
        if (byChoice) forgetDrafts();
        // The address leads: the page may still be on its way.
        if (!isSecured(matchRoute(location.pathname))) return;
        // A dialog tells of a block.
        if (!byChoice && blocked === undefined) showToast('Сеанс завершён. Войдите снова, чтобы вернуться.');
        router.toFeed();
      }),
    [session, router],
  );

  useEffect(() => {
    router.resume();
    // A reload may have left the entry of a dialog that is not open any more.
    matchHistory();
  }, [router]);

  useEffect(() => void fetchMenuAhead(), []);

  useEffect(() => {
    if (sessionState.is !== 'authorized') return;
    void fetchWritingAhead();
    void fetchAnswersAhead();
    void fetchSettingsAhead();
    void mutes.fetchAhead();
  }, [sessionState.is, mutes]);

  useEffect(() => {
    // Chosen here or in another tab.
    if (sessionState.is === 'authorized') store.renameOwner(sessionState.user.id, sessionState.user.username);
  }, [sessionState, store]);

  const leaveDeleted = (postId: string) => {
    const { view: viewed } = router.screen();
    if (viewed.kind === 'post' && viewed.id === postId) router.toFeed();
  };

  return (
    <IntentProvider value={intend}>
      <EditWindow value={settings.editWindowSeconds}>
        <AppShell title={heading} appName={settings.appName} activePath={screen.path} onBack={router.back}>
          <CodePauseProvider value={settings.codeResendSeconds}>
            {view.kind !== 'session-failed' && <SessionFailureLine />}
            <Page view={view} onRetry={router.retry} onReveal={router.reveal} />
          </CodePauseProvider>
        </AppShell>
        <SignInDialog appName={settings.appName} {...dialog} />
        <BlockedDialog />
        <PostDialog intent={dialogIntent} onDeleted={leaveDeleted} onClose={closeDialog} />
        <Toaster />
      </EditWindow>
    </IntentProvider>
  );
}
