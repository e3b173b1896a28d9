import { flushSync } from 'react-dom';
import { apiPrefix } from '#contract/endpoint.ts';
import type { Session } from '../auth/session.ts';
import { onPageEntry } from '../lib/dialog-entry.ts';
import type { PostStore } from '../posts/post-store.ts';
import { announce } from '../ui/announce.ts';
import { calmMs, loadingScreen, loadScreen } from './load-screen.ts';
import { currentPlace, findPlace, focusMain, hasMovedOn, isInSight, nameMain, returnTo, type Place } from './place.ts';
import { loadAnew, type Router } from './router.ts';
import { isSecured, matchRoute } from './routes.ts';
import { isPassing, listOf, type Screen } from './screen.ts';
import { beforePageGoes, storedPlace, storePlace } from './stored-places.ts';

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
  /** Where another load of this page was left, until the reader is there again. */
  let sought = storedPlace(shown.key);

  function show(screen: Screen): void {
    shown = { key: currentKey(), screen };
    flushSync(() => {
      for (const listener of listeners) listener();
    });
    forgetUnreachable();
  }

  function leave(): void {
    const { key, screen } = shown;
    if (isPassing(screen.view) || sought) return;
    const place = currentPlace();
    left.set(key, { screen, place });
    storePlace(key, place);
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
  function begin(url: URL, place: Place | null = null): Visit {
    if (visit?.href === url.href) return visit;
    visit?.abort.abort();
    const abort = new AbortController();
    visit = { href: url.href, abort, screen: loadScreen(url, { store, session, place, signal: abort.signal }) };
    return visit;
  }

  async function arrive(event: NavigateEvent): Promise<void> {
    sought = null;
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
    // Tried once more, it leads where it would have led.
    const place = isReturn || shown.screen.view.kind === 'failed' ? storedPlace(currentKey()) : null;
    const mine = begin(url, place);
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
    if (place) findPlace(place, screen.view, store);
    // Where nothing can be stored the browser still knows.
    else if (isReturn && !event.signal.aborted) event.scroll();
  }

  /** Loads the page that the browser is at once more, for whoever is signed in and as far down as they were. */
  async function loadHere(): Promise<void> {
    const mine = begin(new URL(location.href), sought);
    const skeleton = setTimeout(() => {
      if (visit === mine) show(loadingScreen(location.pathname));
    }, calmMs);
    const screen = await mine.screen;
    clearTimeout(skeleton);
    if (visit !== mine) return;
    visit = null;
    show(screen);
    arriveAtSought();
  }

  function arriveAtSought(): void {
    if (sought) findPlace(sought, shown.screen.view, store);
    sought = null;
  }

  session.onEnd(forgetSecured);
  beforePageGoes(leave);
  navigation.addEventListener('navigate', (event) => {
    if (isDialogMove(event)) return;
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
      await loadHere();
      announce('Страница загружена');
    },
    resume() {
      if (!sought || isPassing(shown.screen.view)) return;
      if (!isInSight(sought, shown.screen.view, store)) void loadHere();
      else if (hasMovedOn(sought)) sought = null;
      else arriveAtSought();
    },
    toFeed() {
      show(loadingScreen('/'));
      onPageEntry(() => navigation.navigate('/', { history: 'replace' }));
    },
    loadAnew(address) {
      onPageEntry(() => {
        loadingAnew = true;
        loadAnew(address);
      });
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

/** The key of the page's entry, also while that of a dialog over it is the current one. */
function currentKey(): string {
  const entry = navigation.currentEntry;
  return entry ? pageKey(entry) : '';
}

function pageKey(entry: NavigationHistoryEntry | NavigationDestination): string {
  const state = entry.getState() as { page: string } | undefined;
  return state?.page ?? entry.key;
}

/** To the entry of a dialog and back: the page stays. */
function isDialogMove({ navigationType, destination, hashChange }: NavigateEvent): boolean {
  const page = currentKey();
  if (navigationType === 'traverse') return !hashChange && pageKey(destination) === page;
  const isPushed = navigationType === 'push' && destination.sameDocument && !hashChange;
  if (isPushed) {
    const name = () => navigation.updateCurrentEntry({ state: { page } });
    navigation.addEventListener('currententrychange', name, { once: true });
  }
  return isPushed;
}

/** An address without its fragment: jumping inside a page is no step back. */
function pageOf(href: string): string {
  const { pathname, search } = new URL(href);
  return pathname + search;
}
