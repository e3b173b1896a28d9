import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { pageDataId, type PageData } from '#contract/page.ts';
import { App } from './app.tsx';
import { createSession } from '../features/session/session.ts';
import { answerEarlyClick } from './early-click.ts';
import { startDialogEntries } from '../lib/dialog-entry.ts';
import { setServerTime } from '../lib/server-clock.ts';
import { networkOrPause } from '../lib/network-or-pause.ts';
import { showToast } from '../lib/toasts.ts';
import { loadLive } from '../features/live/load-live.ts';
import { createMutes } from '../features/mutes/mutes.ts';
import { createLikes } from '../features/posts/store/likes.ts';
import { createPostStore } from '../features/posts/store/post-store.ts';
import { createNavigationRouter } from './router/navigation-router.ts';
import { createPageLoadRouter } from './router/router.ts';
import { firstScreen, listOf } from './router/screen.ts';
import { matchPage } from '../pages/pages.ts';
import { startShortcuts } from '../features/shortcuts/start-shortcuts.ts';
import './theme/global.css';

const root = document.getElementById('root');
const block = document.getElementById(pageDataId);
if (!root || !block) throw new Error('The document is not the one the server makes');

const { settings, madeAt, position, content }: PageData = JSON.parse(block.textContent);
setServerTime(madeAt);
void loadPagePart().then(start);

function start(): void {
  const store = createPostStore();
  const first = firstScreen(location.pathname, content, matchPage, store);
  const likes = createLikes({ store, onRefused: showToast });
  const session = createSession();
  const mutes = createMutes(session);
  const hasNavigation = 'navigation' in window;
  const router = (hasNavigation ? createNavigationRouter : createPageLoadRouter)(first, { matchPage, store, session });
  if (!hasNavigation) void import('./carried-toasts.ts').then(({ carryToasts }) => carryToasts());
  startDialogEntries();
  session.start();
  mutes.start();
  likes.start();
  startShortcuts();

  hydrateRoot(
    root!,
    <StrictMode>
      <App {...{ settings, madeAt, store, router, session, mutes, likes }} />
    </StrictMode>,
  );

  answerEarlyClick();

  const screen = { subscribe: router.screen.subscribe, list: () => listOf(router.screen.get()) };
  void loadLive().then((startLive) => startLive({ position, store, session, screen, isBusy: likes.isBusy }));
}

/** The first HTML of some public pages needs code of their own. Retries until it is loaded; the HTML can be read meanwhile. */
async function loadPagePart(): Promise<void> {
  const { access, prefetch } = matchPage(location.pathname).page;
  if (access !== 'public' || !prefetch) return;
  for (;;) {
    try {
      await prefetch();
      return;
    } catch {
      await networkOrPause();
    }
  }
}
