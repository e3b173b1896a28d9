import { flushSync } from 'react-dom';
import { addresses } from '#contract/addresses.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { isLeavingEntry, onPageEntry } from '../lib/dialog-entry.ts';
import { createObservable } from '../lib/observable.ts';
import { showLiveMessage } from '../ui/live-region.tsx';
import { calmMs, loadingScreen, loadScreen, reloaded, type RouterOptions } from './load-screen.ts';
import {
  beforePageGoes,
  currentSpot,
  findSpot,
  focusMain,
  hasMovedOn,
  isInSight,
  namedSpot,
  nameMain,
  type Spot,
  spotBeforeLoad,
  returnTo,
  storedSpot,
  storeSpot,
} from './spot.ts';
import { loadAnew, type Router } from './router.ts';
import { isTransient, listOf, listOn, type Screen } from './screen.ts';

const home = addresses.feed.href();

interface Visit {
  href: string;
  screen: Promise<Screen>;
  abort: AbortController;
}

/** Turns the browser's navigations into screens. Earlier screens are stored by the key of their history entry. */
export function createNavigationRouter(first: Screen, options: RouterOptions): Router {
  const { matchPage, store, session } = options;
  const screens = new Map<string, { screen: Screen; spot: Spot }>();
  const shown = createObservable(first);
  /** The history entry on the screen. While the next one is loading it is not the browser's current entry. */
  let shownKey = currentKey();
  let visit: Visit | null = null;
  let loadingAnew = false;
  /** The spot stored by an earlier load of this page, or that of the reply that the address names, until it has been restored. */
  let sought = spotBeforeLoad(shownKey) ?? namedSpot(location);

  function show(screen: Screen): void {
    shownKey = currentKey();
    flushSync(() => shown.set(screen));
    forgetUnreachable();
  }

  function leave(): void {
    const screen = shown.get();
    if (isTransient(screen) || sought) return;
    const spot = currentSpot(listOn(screen, store));
    screens.set(shownKey, { screen, spot });
    storeSpot(shownKey, spot);
  }

  function forgetUnreachable(): void {
    const reachable = new Set(navigation.entries().map((entry) => entry.key));
    for (const key of screens.keys()) if (!reachable.has(key)) screens.delete(key);
    const held = [shown.get(), ...[...screens.values()].map(({ screen }) => screen)];
    store.retainLists(new Set(held.map(listOf).filter((list) => list !== null)));
  }

  /** The person who signs in next may be somebody else, so that person must not reach these screens by Back. */
  function forgetSecured(): void {
    for (const [key, { screen }] of screens) if (screen.page.access === 'user') screens.delete(key);
  }

  /** How long the previous page stays visible while the next one is loading, in milliseconds. */
  function waitFor(url: URL): number {
    const { page, params } = matchPage(url.pathname);
    return page.canPreview?.(params, store) ? 0 : calmMs;
  }

  /** A second click on the same link joins the load of the first. */
  function begin(url: URL, spot: Spot | null = null): Visit {
    if (visit?.href === url.href) return visit;
    visit?.abort.abort();
    const abort = new AbortController();
    visit = { href: url.href, abort, screen: loadScreen(url, { ...options, spot, signal: abort.signal }) };
    return visit;
  }

  async function arrive(event: NavigateEvent): Promise<void> {
    sought = null;
    const isReturn = event.navigationType === 'traverse';
    const remembered = isReturn && screens.get(currentKey());
    if (!remembered) return arriveByLoading(event, isReturn);
    visit?.abort.abort();
    visit = null;
    show(remembered.screen);
    returnTo(remembered.spot);
  }

  async function arriveByLoading(event: NavigateEvent, isReturn: boolean): Promise<void> {
    const url = new URL(event.destination.url);
    // A retry restores the spot that the failed load would have restored.
    const stored = isReturn || shown.get().is === 'failed' ? storedSpot(currentKey()) : null;
    const spot = stored ?? namedSpot(url);
    const mine = begin(url, spot);
    let slow = false;
    const enter = (screen: Screen) => {
      show(screen);
      if (!isReturn) window.scrollTo(0, 0);
      focusMain();
    };
    const skeleton = setTimeout(() => {
      if (visit !== mine) return;
      slow = true;
      enter(loadingScreen(url.pathname, matchPage));
      showLiveMessage('Загрузка');
    }, waitFor(url));
    const screen = await mine.screen;
    clearTimeout(skeleton);
    if (visit !== mine) return;
    visit = null;
    if (slow) {
      show(screen);
      nameMain();
      showLiveMessage('Страница загружена');
    } else {
      enter(screen);
    }
    if (spot) findSpot(spot, screen, store);
    // Without a stored spot the browser restores its own scroll position.
    else if (isReturn && !event.signal.aborted) event.scroll();
  }

  /** Loads the current page again, with the session and down to the stored spot. */
  async function loadHere(): Promise<void> {
    const mine = begin(new URL(location.href), sought);
    const skeleton = setTimeout(() => {
      if (visit === mine) show(loadingScreen(location.pathname, matchPage));
    }, calmMs);
    const screen = await mine.screen;
    clearTimeout(skeleton);
    if (visit !== mine) return;
    visit = null;
    show(screen);
    arriveAtSought();
  }

  function arriveAtSought(): void {
    if (sought) findSpot(sought, shown.get(), store);
    sought = null;
  }

  session.onEnd(forgetSecured);
  beforePageGoes(leave);
  navigation.addEventListener('navigate', navigated);

  function navigated(event: NavigateEvent): void {
    if (isDialogMove(event) || isRenaming(event)) return;
    if (isLeavingEntry() && isForApp(event) && event.navigationType !== 'traverse') {
      event.preventDefault();
      const { url } = event.destination;
      onPageEntry(() => navigation.navigate(url));
      return;
    }
    leave();
    const known = screens.get(event.destination.key)?.screen ?? shown.get();
    if (event.hashChange && known === shown.get()) {
      const stay = () => (shownKey = currentKey());
      navigation.addEventListener('currententrychange', stay, { once: true });
    } else if (!loadingAnew && isForApp(event)) {
      event.intercept({ scroll: 'manual', focusReset: 'manual', handler: () => arrive(event) });
    }
  }

  return {
    screen: shown,
    back() {
      const here = pageOf(location.href);
      const index = navigation.currentEntry?.index ?? 0;
      const before = navigation
        .entries()
        .slice(0, index)
        .findLast(({ url }) => url !== null && pageOf(url) !== here);
      if (before) navigation.traverseTo(before.key);
      else navigation.navigate(home);
    },
    retry() {
      navigation.navigate(location.href, { history: 'replace' });
    },
    async reveal() {
      await loadHere();
      showLiveMessage('Страница загружена');
    },
    async refresh() {
      const before = shown.get();
      const next = await reloaded(options);
      if (shown.get() === before && visit === null && next.is === 'ready') flushSync(() => shown.set(next));
    },
    resume() {
      if (!sought || isTransient(shown.get())) return;
      if (!isInSight(sought, shown.get(), store)) void loadHere();
      else if (hasMovedOn(sought)) sought = null;
      else arriveAtSought();
    },
    toFeed() {
      show(loadingScreen(home, matchPage));
      onPageEntry(() => navigation.navigate(home, { history: 'replace' }));
    },
    loadAnew(address, replaces) {
      onPageEntry(() => {
        loadingAnew = true;
        loadAnew(address, replaces);
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

/** The key of the page's entry, even when the current entry is that of a dialog over it. */
function currentKey(): string {
  const entry = navigation.currentEntry;
  return entry ? pageKey(entry) : '';
}

function pageKey(entry: NavigationHistoryEntry | NavigationDestination): string {
  const state = entry.getState() as { page: string } | undefined;
  return state?.page ?? entry.key;
}

/** Whether the navigation only enters or leaves the history entry of a dialog over the same page. */
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

/** Whether the page only changes the query of its address. */
const isRenaming = ({ navigationType, destination, hashChange }: NavigateEvent): boolean =>
  navigationType === 'replace' &&
  destination.sameDocument &&
  !hashChange &&
  new URL(destination.url).pathname === location.pathname;

/** An address without its fragment: Back skips jumps inside a page. */
function pageOf(href: string): string {
  const { pathname, search } = new URL(href);
  return pathname + search;
}
