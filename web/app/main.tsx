import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { type PageData, pageDataId } from '#contract/page-data.ts';
import type { startLive } from '../features/live/start-live.ts';
import { createMutes } from '../features/mutes/mutes.ts';
import { listPills } from '../features/posts/list/post-list.tsx';
import { createLikes } from '../features/posts/store/own-likes.ts';
import { createPostStore } from '../features/posts/store/post-store.ts';
import { createSession } from '../features/session/session.ts';
import { readSignInFlag } from '../features/session/sign-in-flag.ts';
import { startShortcuts } from '../features/shortcuts/press-shortcut.ts';
import { startDialogEntries } from '../lib/dialog-entry.ts';
import { networkOrPause, whenIdle } from '../lib/waits.ts';
import { setServerTime } from '../lib/server-clock.ts';
import { showToast } from '../lib/toasts.ts';
import { door } from '../pages/page-view.tsx';
import { matchPage } from '../pages/pages.ts';
import { createNavigationRouter } from '../router/navigation-router.ts';
import type { Found } from '../router/page.ts';
import { firstScreen, listOf } from '../router/screen.ts';
import '../theme/global.css';
import { watchTheme } from '../theme/theme.ts';
// Pages made for one person use this style before their scripts are loaded, so it is part of the first load.
import '../ui/form-error.module.css';
import { App } from './app.tsx';
import { repeatEarlyClick, reportStart } from './head-scripts.ts';
import './layout/failed-start.css';

/** Presses farther apart than this are no double click, px. Browsers may count quick taps at different positions as one. */
const doublePressSize = 24;

/**
 * Ignores the second press of a double click if the first one has opened or closed a dialog: it was not meant for the element that
 * is there now, and would move the focus. Called once, in the browser.
 */
function ignoreLatePresses(): void {
  let pressedIn: Element | null = null;
  let last = { x: 0, y: 0 };
  let isLate = false;

  function ignore(event: Event): void {
    event.preventDefault();
    event.stopPropagation();
  }

  function onPress(event: MouseEvent): void {
    const dialog = document.querySelector('dialog[open]');
    if (event.detail < 2 || Math.hypot(event.x - last.x, event.y - last.y) > doublePressSize) pressedIn = dialog;
    last = event;
    isLate = dialog !== pressedIn;
    if (isLate) ignore(event);
  }

  addEventListener('mousedown', onPress, true);
  addEventListener('click', (event) => isLate && event.detail > 1 && ignore(event), true);
}

const root = document.getElementById('root');
const block = document.getElementById(pageDataId);
if (!root || !block) throw new Error('The document is not the one the server makes');

const data: PageData = JSON.parse(block.textContent);
// The block contains data about the person, and the document may outlive the session.
block.replaceChildren();
const { settings, madeAt, position } = data;
/** Whether the session has changed since the server made the page. The app then starts without its content and loads the page again. */
const isOthers = data.person !== undefined && data.person.flag !== readSignInFlag();
const { content, person } = (isOthers ? {} : data) as { content?: Found | null } & Pick<PageData, 'person'>;
const hasNavigation = 'navigation' in window;
setServerTime(madeAt);
void loadCode().then(start);

function start(createRouter: typeof createNavigationRouter): void {
  const store = createPostStore();
  const first = firstScreen(location.pathname, { content, person }, matchPage, store);
  const likes = createLikes({ store, onRefused: showToast });
  const session = createSession(person);
  const mutes = createMutes(session, person?.muted);
  const router = createRouter(first, { matchPage, store, session, settings });
  if (!hasNavigation) void import('./carried-toasts.ts').then(({ carryToasts }) => carryToasts());
  startDialogEntries();
  ignoreLatePresses();
  session.start();
  mutes.start();
  likes.start();
  startShortcuts();
  watchTheme();

  const app = (
    <StrictMode>
      <App {...{ settings, madeAt, store, router, session, mutes, likes, first: { content, person } }} />
    </StrictMode>
  );
  if (isOthers) createRoot(root!).render(app);
  else hydrateRoot(root!, app);

  reportStart();
  repeatEarlyClick();

  const screen = { subscribe: router.screen.subscribe, list: () => listOf(router.screen.get()) };
  void loadLive().then((startLive) =>
    startLive({
      isClosed: settings.isClosed === true,
      isOwn: Boolean(person?.user),
      position,
      store,
      session,
      screen,
      isBusy: likes.isBusy,
    }),
  );
}

/**
 * Loads the router of browsers without the Navigation API, and the code of the content that the server sent, if it is not part of the
 * first load: of a page that is public or made for this person, or of the question to sign in. Meanwhile the first HTML can be read.
 */
function loadCode(): Promise<typeof createNavigationRouter> {
  const { access, prefetch } = matchPage(location.pathname).page;
  return untilLoaded(async () => {
    if (access === 'public' || person) await prefetch?.();
    if (!content || content.secured) await door.load();
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
