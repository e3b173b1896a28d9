import { flushSync } from 'react-dom';
import { addresses } from '#contract/addresses.ts';
import { onPageEntry } from '../lib/dialog-entry.ts';
import { createObservable } from '../lib/observable.ts';
import { calmMs, loadingScreen, loadScreen, reloaded, type RouterOptions } from './load-screen.ts';
import {
  beforePageGoes,
  currentSpot,
  findSpot,
  hasMovedOn,
  isInSight,
  namedSpot,
  type Spot,
  spotBeforeLoad,
  storeSpot,
} from './spot.ts';
import { isTransient, listOn, type Screen } from './screen.ts';
import { loadAnew, type Router } from './router.ts';

/** The router of the server and of browsers without the Navigation API: every link is a full page load. */
export function createPageLoadRouter(first: Screen, options: RouterOptions): Router {
  const { store, matchPage } = options;
  const screen = createObservable(first);
  let loading = false;
  /** The spot stored by an earlier load of this page, or that of the reply that the address names, until it has been restored. */
  let sought: Spot | null = null;

  function show(next: Screen): void {
    flushSync(() => screen.set(next));
  }

  async function loadHere(): Promise<void> {
    if (loading) return;
    loading = true;
    const skeleton = setTimeout(() => show(loadingScreen(location.pathname, matchPage)), calmMs);
    const { signal } = new AbortController();
    const next = await loadScreen(new URL(location.href), { ...options, signal, spot: sought });
    clearTimeout(skeleton);
    loading = false;
    show(next);
    arriveAtSought();
  }

  function arriveAtSought(): void {
    if (sought) findSpot(sought, screen.get(), store);
    sought = null;
  }

  return {
    screen,
    back() {
      if (document.referrer.startsWith(`${location.origin}/`)) history.back();
      else location.assign(addresses.feed.href());
    },
    retry: () => location.reload(),
    reveal: () => void loadHere(),
    async refresh() {
      const next = await reloaded(options);
      if (next.is === 'ready') show(next);
    },
    resume() {
      const entry = entryKey();
      sought = spotBeforeLoad(entry) ?? namedSpot(location);
      beforePageGoes(() => {
        if (!sought && !isTransient(screen.get())) storeSpot(entry, currentSpot(listOn(screen.get(), store)));
      });
      if (!sought || isTransient(screen.get())) return;
      if (!isInSight(sought, screen.get(), store)) void loadHere();
      else if (hasMovedOn(sought)) sought = null;
      else arriveAtSought();
    },
    toFeed: () => onPageEntry(() => location.replace(addresses.feed.href())),
    loadAnew: (address, replaces) => onPageEntry(() => loadAnew(address, replaces)),
  };
}

/** A key for the history entry. Without the Navigation API the browser provides none. */
function entryKey(): string {
  const known: string | undefined = history.state?.entry;
  if (known !== undefined) return known;
  const entry = String(Math.random());
  history.replaceState({ ...history.state, entry }, '');
  return entry;
}
