import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { pageDataId, type PageData } from '#contract/page.ts';
import { App } from './app.tsx';
import { createSession } from '../features/session/session.ts';
import { repeatEarlyClick } from './early-click.ts';
import { reportStart } from './failed-start.ts';
import { startDialogEntries } from '../lib/dialog-entry.ts';
import { ignoreLatePresses } from '../lib/double-click.ts';
import { setServerTime } from '../lib/server-clock.ts';
import { networkOrPause } from '../lib/network-or-pause.ts';
import { showToast } from '../lib/toasts.ts';
import { createMutes } from '../features/mutes/mutes.ts';
import { createLikes } from '../features/posts/store/likes.ts';
import { createPostStore } from '../features/posts/store/post-store.ts';
import { createNavigationRouter } from '../router/navigation-router.ts';
import { firstScreen, listOf } from '../router/screen.ts';
import { matchPage } from '../pages/pages.ts';
import { startShortcuts } from '../features/shortcuts/press-shortcut.ts';
import { followTheme } from '../theme/theme.ts';
import '../theme/global.css';
import { whenIdle } from '../lib/when-idle.ts';
import { listPills } from '../features/posts/list/post-list.tsx';
import type { startLive } from '../features/live/start-live.ts';

const root = document.getElementById('root');
const block = document.getElementById(pageDataId);
if (!root || !block) throw new Error('The document is not the one the server makes');

const { settings, madeAt, position, content }: PageData = JSON.parse(block.textContent);
const hasNavigation = 'navigation' in window;
setServerTime(madeAt);
void loadCode().then(start);

function start(createRouter: typeof createNavigationRouter): void {
  document.querySelector('.plain')?.remove();
  const store = createPostStore();
  const first = firstScreen(location.pathname, content, matchPage, store);
  const likes = createLikes({ store, onRefused: showToast });
  const session = createSession();
  const mutes = createMutes(session);
  const router = createRouter(first, { matchPage, store, session });
  if (!hasNavigation) void import('./carried-toasts.ts').then(({ carryToasts }) => carryToasts());
  startDialogEntries();
  ignoreLatePresses();
  session.start();
  mutes.start();
  likes.start();
  startShortcuts();
  followTheme();

  hydrateRoot(
    root!,
    <StrictMode>
      <App {...{ settings, madeAt, store, router, session, mutes, likes }} />
    </StrictMode>,
  );

  reportStart();
  repeatEarlyClick();

  const screen = { subscribe: router.screen.subscribe, list: () => listOf(router.screen.get()) };
  void loadLive().then((startLive) =>
    startLive({ isClosed: settings.isClosed === true, position, store, session, screen, isBusy: likes.isBusy }),
  );
}

/**
 * Loads the code of the page if a mailed link leads to it, and the router of browsers without the Navigation API.
 * Meanwhile the first HTML can be read.
 */
function loadCode(): Promise<typeof createNavigationRouter> {
  const { access, prefetch } = matchPage(location.pathname).page;
  return untilLoaded(async () => {
    if (access === 'public') await prefetch?.();
    return hasNavigation
      ? createNavigationRouter
      : (await import('../router/page-load-router.ts')).createPageLoadRouter;
  });
}

/** The latest start of live updates after the page has been loaded. */
const idleWithinMs = 1_000;

/** Loads live updates in the background. */
async function loadLive(): Promise<typeof startLive> {
  await whenIdle(idleWithinMs);
  return untilLoaded(async () => {
    const [live] = await Promise.all([import('../features/live/start-live.ts'), listPills.load()]);
    return live.startLive;
  });
}

async function untilLoaded<Code>(load: () => Promise<Code>): Promise<Code> {
  for (;;) {
    try {
      return await load();
    } catch {
      await networkOrPause();
    }
  }
}
