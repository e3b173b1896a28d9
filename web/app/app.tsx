import { useCallback, useEffect, useEffectEvent, useReducer } from 'react';
import { addresses } from '#contract/addresses.ts';
import type { ClientSettings } from '#contract/page-data.ts';
import { type Mutes, MutesProvider, useMutes, useRemoveMutedRules } from '../features/mutes/mutes.ts';
import { choosePost } from '../features/posts/card/post-menu-button.tsx';
import { forgetDrafts } from '../features/posts/compose/forget-drafts.ts';
import type { Likes } from '../features/posts/store/own-likes.ts';
import type { PostStore } from '../features/posts/store/post-store.ts';
import { PostStoreProvider, usePostStore } from '../features/posts/store/use-posts.ts';
import { type Action, PerformProvider } from '../features/session/actions.ts';
import { SessionFailureLine } from '../features/session/session-failure-line.tsx';
import { type Session, SessionProvider, useSession, useSessionState } from '../features/session/session.ts';
import { ChangeSettingsProvider, ClientSettingsProvider } from '../lib/client-settings.ts';
import { ClockProvider } from '../lib/clock.tsx';
import { matchHistory } from '../lib/dialog-entry.ts';
import { closeLayer, openedLayer, openLayer } from '../lib/layers.ts';
import { useObservable } from '../lib/observable.ts';
import { explainLoading, namedOnDemand, useOnDemand } from '../lib/on-demand.ts';
import { showToast } from '../lib/toasts.ts';
import {
  type FirstPage,
  FirstPageContext,
  LeaveDeletedProvider,
  LoadAnewProvider,
  RefreshProvider,
} from '../pages/page-contexts.ts';
import { PageView } from '../pages/page-view.tsx';
import { matchPage } from '../pages/pages.ts';
import type { Router } from '../router/router.ts';
import { describeScreen, screenFor } from '../router/screen.ts';
import { Toaster } from '../ui/toaster.tsx';
import { AppShell } from './layout/app-shell.tsx';
import { usePerformer } from './use-perform.ts';

const laterParts = namedOnDemand(() => import('./later-parts.tsx'), 'LaterParts');

interface AppScreenProps {
  settings: ClientSettings;
  router: Router;
  likes: Likes;
}

/** The current page and the dialogs over it. */
function AppScreen({ settings: first, router, likes }: AppScreenProps) {
  const [settings, changeSettings] = useReducer(
    (before: ClientSettings, changed: Partial<ClientSettings>) => ({ ...before, ...changed }),
    first,
  );
  const session = useSession();
  const sessionState = useSessionState();
  const loaded = useObservable(router.screen);
  const screen = screenFor(sessionState, loaded);
  const store = usePostStore();
  const mutes = useMutes();
  const { heading, title } = describeScreen(screen, store, settings.appName);

  const allow = useCallback(
    (action: Action) => {
      if (action.kind === 'like') likes.toggle(action.postId);
      else if (action.kind === 'mute') void mutes.change(action.authorId, true);
      else if (action.kind === 'layer') openLayer(action.href);
      else if (action.kind !== 'visit') void choosePost(store, action);
    },
    [likes, mutes, store],
  );

  useRemoveMutedRules();
  const { thing: LaterParts, failure, retry } = useOnDemand(laterParts, true);
  const isLayerAsked = useObservable(openedLayer, (layer) => layer !== null);

  useEffect(() => {
    document.title = title;
  }, [title]);

  useEffect(() => {
    // Until the session is known, `data-signed-in` is what the script in <head> has set from the flag of the last sign-in.
    if (sessionState.is !== 'authorizing') {
      document.documentElement.toggleAttribute('data-signed-in', sessionState.is === 'authorized');
    }
  }, [sessionState.is]);

  useEffect(
    () =>
      session.onEnd((byChoice, { blocked }) => {
        if (byChoice) forgetDrafts();
        // The posts on the screen and in memory are for members only.
        if (settings.isClosed && blocked === undefined) return router.loadAnew(addresses.feed.href());
        // The address decides, and not the screen, because the page of the address may still be loading.
        if (matchPage(location.pathname).page.access === 'public') return;
        // A blocked person sees a dialog instead of this toast.
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
  const perform = usePerformer(allow);

  const leaveDeleted = (postId: string) => {
    if (router.screen.get().path === addresses.post.href({ id: postId })) router.toFeed();
  };

  return (
    <PerformProvider value={perform}>
      <RefreshProvider value={router.refresh}>
        <LeaveDeletedProvider value={leaveDeleted}>
          <LoadAnewProvider value={router.loadAnew}>
            <ClientSettingsProvider value={settings}>
              <ChangeSettingsProvider value={changeSettings}>
                <AppShell
                  title={heading}
                  appName={settings.appName}
                  activePath={screen.path}
                  isEntrance={(screen.is === 'sign-in-needed' && settings.isClosed) || screen.page.isEntrance === true}
                  onBack={router.back}
                >
                  {screen.is !== 'session-failed' && <SessionFailureLine />}
                  <PageView screen={screen} onRetry={router.retry} onReveal={router.reveal} />
                </AppShell>
                {LaterParts && <LaterParts />}
                {failure !== null && isLayerAsked && <PartMissing onLoaded={retry} />}
                <Toaster />
              </ChangeSettingsProvider>
            </ClientSettingsProvider>
          </LoadAnewProvider>
        </LeaveDeletedProvider>
      </RefreshProvider>
    </PerformProvider>
  );
}

/** Loads the parts over the page again for a layer that was opened after they had failed to load. */
function PartMissing({ onLoaded }: { onLoaded: () => void }) {
  const load = useEffectEvent(() => {
    laterParts.load().then(onLoaded, (error: unknown) => {
      showToast(explainLoading(error));
      closeLayer();
    });
  });
  useEffect(() => load(), []);
  return null;
}

interface AppProps {
  settings: ClientSettings;
  /** When the first page was made, unix seconds on the server's clock. */
  madeAt: number;
  store: PostStore;
  router: Router;
  session: Session;
  mutes: Mutes;
  likes: Likes;
  first: FirstPage;
}

export function App({ settings, madeAt, store, router, session, mutes, likes, first }: AppProps) {
  return (
    <ClockProvider startAt={madeAt}>
      <PostStoreProvider value={store}>
        <SessionProvider value={session}>
          <MutesProvider value={mutes}>
            <FirstPageContext value={first}>
              <AppScreen settings={settings} router={router} likes={likes} />
            </FirstPageContext>
          </MutesProvider>
        </SessionProvider>
      </PostStoreProvider>
    </ClockProvider>
  );
}
