import { flushSync } from 'react-dom';
import { apiPrefix } from '#contract/endpoint.ts';
import type { Session } from '../auth/session.ts';
import type { PostStore } from '../posts/post-store.ts';
import { announce } from '../ui/announce.ts';
import { loadingScreen, loadScreen } from './load-screen.ts';
import { currentPlace, focusMain, nameMain, returnTo, type Place } from './place.ts';
import { loadAnew, type Router } from './router.ts';
import { isSecured, matchRoute } from './routes.ts';
import { listOf, type Screen, type View } from './screen.ts';

/** The page one leaves stays this long; only a slower one is announced by its skeleton. */
const calmMs = 150;

/** Views that hold nothing to come back to: they are loaded again. */
const passing = new Set<View['kind']>(['loading', 'failed', 'secured']);

interface Visit {
  href: string;
  screen: Promise<Screen>;
  abort: AbortController;
}

/** Turns the browser's navigations into screens, and keeps what Back returns to by the key of the history entry. */
export function createNavigationRouter(first: Screen, store: PostStore, session: Session): Router {
  const listeners = new Set<() => void>();
  const left = new Map<string, { screen: Screen; place: Place }>();
  // The entry on screen: it is not the browser's current one while the next is still loading.
  let shown = { key: currentKey(), screen: first };
  let visit: Visit | null = null;
  let loadingAnew = false;

  function show(screen: Screen): void {
    shown = { key: currentKey(), screen };
    flushSync(() => {
      for (const listener of listeners) listener();
    });
    forgetUnreachable();
  }

  function leave(): void {
    const { key, screen } = shown;
    if (!passing.has(screen.view.kind)) left.set(key, { screen, place: currentPlace() });
  }

  function forgetUnreachable(): void {
    const reachable = new Set(navigation.entries().map((entry) => entry.key));
    for (const key of left.keys()) if (!reachable.has(key)) left.delete(key);
    const screens = [shown.screen, ...[...left.values()].map(({ screen }) => screen)];
    store.keepOnlyLists(new Set(screens.map(({ view }) => listOf(view)).filter((list) => list !== null)));
  }

  /** The next one to sign in here may be somebody else. */
  function forgetSecured(): void {
    for (const [key, { screen }] of left) if (isSecured(matchRoute(screen.path))) left.delete(key);
  }

  /** A second click on the same link waits for the load that the first one began. */
  function begin(url: URL): Visit {
    if (visit?.href === url.href) return visit;
    visit?.abort.abort();
    const abort = new AbortController();
    visit = { href: url.href, abort, screen: loadScreen(url, { store, session, signal: abort.signal }) };
    return visit;
  }

  async function arrive(event: NavigateEvent): Promise<void> {
    const isReturn = event.navigationType === 'traverse';
    const remembered = isReturn && left.get(currentKey());
    if (remembered) {
      visit?.abort.abort();
      visit = null;
      show(remembered.screen);
      returnTo(remembered.place);
      return;
    }

    const url = new URL(event.destination.url);
    const mine = begin(url);
    let slow = false;
    const enter = (screen: Screen) => {
      show(screen);
      if (!isReturn) window.scrollTo(0, 0);
      focusMain();
    };
    const skeleton = setTimeout(() => {
      if (visit !== mine) return;
      slow = true;
      enter(loadingScreen(url.pathname));
      announce('Загрузка');
    }, calmMs);
    const screen = await mine.screen;
    clearTimeout(skeleton);
    if (visit !== mine) return;
    visit = null;
    if (slow) {
      show(screen);
      nameMain();
      announce('Страница загружена');
    } else {
      enter(screen);
    }
    // The browser knows where the reader was in an entry that this page load has never shown.
    if (isReturn && !event.signal.aborted) event.scroll();
  }

  session.onEnd(forgetSecured);
  navigation.addEventListener('navigate', (event) => {
    leave();
    const known = left.get(event.destination.key)?.screen ?? shown.screen;
    if (event.hashChange && known === shown.screen) {
      const stay = () => (shown = { ...shown, key: currentKey() });
      navigation.addEventListener('currententrychange', stay, { once: true });
    } else if (!loadingAnew && isForApp(event)) {
      event.intercept({ scroll: 'manual', focusReset: 'manual', handler: () => arrive(event) });
    }
  });

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    screen: () => shown.screen,
    back() {
      const here = pageOf(location.href);
      const index = navigation.currentEntry?.index ?? 0;
      const before = navigation
        .entries()
        .slice(0, index)
        .findLast(({ url }) => url !== null && pageOf(url) !== here);
      if (before) navigation.traverseTo(before.key);
      else navigation.navigate('/');
    },
    retry() {
      navigation.navigate(location.href, { history: 'replace' });
    },
    async reveal() {
      const mine = begin(new URL(location.href));
      const screen = await mine.screen;
      if (visit !== mine) return;
      visit = null;
      show(screen);
      announce('Страница загружена');
    },
    toFeed() {
      show(loadingScreen('/'));
      navigation.navigate('/', { history: 'replace' });
    },
    loadAnew(address) {
      loadingAnew = true;
      loadAnew(address);
    },
  };
}

function isForApp(event: NavigateEvent): boolean {
  return (
    event.canIntercept &&
    event.navigationType !== 'reload' &&
    event.downloadRequest === null &&
    event.formData === null &&
    !new URL(event.destination.url).pathname.startsWith(apiPrefix)
  );
}

function currentKey(): string {
  return navigation.currentEntry?.key ?? '';
}

/** An address without its fragment: jumping inside a page is no step back. */
function pageOf(href: string): string {
  const { pathname, search } = new URL(href);
  return pathname + search;
}
