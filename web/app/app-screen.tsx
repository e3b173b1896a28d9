import { useCallback, useEffect, useState } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { ClientSettings } from '#contract/page.ts';
import { ClientSettingsProvider } from '../lib/client-settings.ts';
import { type Action, type DialogAction, PerformProvider } from '../features/session/actions.ts';
import { useSession, useSessionState } from '../features/session/session.ts';
import { SessionFailureLine } from '../features/session/session-failure-line.tsx';
import { SignInDialog } from '../features/sign-in/sign-in-dialog.tsx';
import { useSignIn } from '../features/sign-in/use-sign-in.ts';
import { AppShell } from './layout/app-shell.tsx';
import { matchHistory } from '../lib/dialog-entry.ts';
import { useObservable } from '../lib/observable.ts';
import { namedOnDemand, useOnDemand } from '../lib/on-demand.ts';
import { showToast } from '../lib/toasts.ts';
import { useMutes, useRemoveMutedRules } from '../features/mutes/mutes.ts';
import { PageView } from '../pages/page-view.tsx';
import { matchPage } from '../pages/pages.ts';
import { forgetDrafts } from '../features/posts/compose/forget-drafts.ts';
import type { Likes } from '../features/posts/store/likes.ts';
import { openInline } from '../features/posts/compose/inline-reply.ts';
import { PostDialog } from '../features/posts/compose/post-dialog.tsx';
import { unreadNotifications } from '../features/posts/store/fetch-notifications.ts';
import { usePostStore } from '../features/posts/store/use-posts.ts';
import { choosePost } from '../features/posts/card/post-menu-button.tsx';
import type { Router } from '../router/router.ts';
import { describeScreen, screenFor } from '../router/screen.ts';
import { Toaster } from '../ui/toaster.tsx';

const laterParts = namedOnDemand(() => import('./later-parts.tsx'), 'LaterParts');

interface AppScreenProps {
  settings: ClientSettings;
  router: Router;
  likes: Likes;
}

/** The current page and the dialogs over it. */
export function AppScreen({ settings, router, likes }: AppScreenProps) {
  const session = useSession();
  const sessionState = useSessionState();
  const loaded = useObservable(router.screen);
  const screen = screenFor(sessionState, loaded);
  const store = usePostStore();
  const mutes = useMutes();
  const { heading, title } = describeScreen(screen, store, settings.appName);
  const [dialogAction, setDialogAction] = useState<DialogAction | null>(null);
  const closeDialog = useCallback(() => setDialogAction(null), []);

  const allow = useCallback(
    (action: Action) => {
      if (action.kind === 'like') likes.toggle(action.postId);
      else if (action.kind === 'mute') void mutes.change(action.authorId, true);
      else if (action.kind === 'follow' || action.kind === 'bookmark') void choosePost(store, action);
      else if (action.kind !== 'visit' && !(action.kind === 'reply' && openInline(action))) setDialogAction(action);
    },
    [likes, mutes, store],
  );
  const { perform, dialog } = useSignIn({
    settings,
    onAllowed: allow,
    onSignedIn: router.loadAnew,
  });

  useRemoveMutedRules();
  const { thing: LaterParts } = useOnDemand(laterParts, true);

  const unread = useObservable(unreadNotifications);
  const shownTitle = sessionState.is === 'authorized' && unread > 0 ? `(${unread}) ${title}` : title;
  useEffect(() => {
    document.title = shownTitle;
  }, [shownTitle]);

  useEffect(() => {
    // The script in <head> has guessed it from the flag.
    if (sessionState.is !== 'authorizing') {
      document.documentElement.toggleAttribute('data-signed-in', sessionState.is === 'authorized');
    }
  }, [sessionState.is]);

  useEffect(
    () =>
      session.onEnd((byChoice, { blocked }) => {
        if (byChoice) forgetDrafts();
        // The posts on screen and in memory were for members.
        if (settings.isClosed && blocked === undefined) return router.loadAnew(addresses.feed.href());
        // The address decides, because its page may still be loading.
        if (matchPage(location.pathname).page.access === 'public') return;
        // A blocked person gets a dialog instead.
        if (!byChoice && blocked === undefined) showToast('Сеанс завершён. Войдите снова, чтобы вернуться.');
        router.toFeed();
      }),
    [session, router, settings.isClosed],
  );

  useEffect(() => {
    router.resume();
    // After a reload the current history entry may be that of a dialog that is no longer open.
    matchHistory();
  }, [router]);

  const leaveDeleted = (postId: string) => {
    if (router.screen.get().path === addresses.post.href({ id: postId })) router.toFeed();
  };

  return (
    <PerformProvider value={perform}>
      <ClientSettingsProvider value={settings}>
        <AppShell
          title={heading}
          appName={settings.appName}
          activePath={screen.path}
          isAsked={screen.is === 'sign-in-needed'}
          onBack={router.back}
        >
          {screen.is !== 'session-failed' && <SessionFailureLine />}
          <PageView screen={screen} onRetry={router.retry} onReveal={router.reveal} />
        </AppShell>
        <SignInDialog appName={settings.appName} {...dialog} />
        <PostDialog action={dialogAction} onDeleted={leaveDeleted} onClose={closeDialog} />
        {LaterParts && <LaterParts onDeleted={leaveDeleted} />}
        <Toaster />
      </ClientSettingsProvider>
    </PerformProvider>
  );
}
