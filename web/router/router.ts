import { flushSync } from 'react-dom';
import type { Session } from '../auth/session.ts';
import { onPageEntry } from '../lib/dialog-entry.ts';
import { randomKey } from '../lib/random-key.ts';
import type { PostStore } from '../posts/post-store.ts';
import { calmMs, loadingScreen, loadScreen } from './load-screen.ts';
import { currentPlace, findPlace, hasMovedOn, isInSight, type Place } from './place.ts';
import { isPassing, type Screen } from './screen.ts';
import { beforePageGoes, storedPlace, storePlace } from './stored-places.ts';

export interface Router {
  subscribe(listener: () => void): () => void;
  screen(): Screen;
  /** One step back inside the app, to the feed when there is none. */
  back(): void;
  /** Tries the current address once more. */
  retry(): void;
  /** Loads what the page holds for whoever is signed in, once that is known. */
  reveal(): void;
  /** Once the page is the app's: back to where another load of it was left. */
  resume(): void;
  /** To the feed, and Back does not lead here again. */
  toFeed(): void;
  /** A full page load, here or elsewhere in the app. */
  loadAnew(address: string): void;
}

/** Every link is a full page load: on the server, and in a browser without the Navigation API. */
export function createPageLoadRouter(first: Screen, store: PostStore, session: Session): Router {
  const listeners = new Set<() => void>();
  let screen = first;
  let loading = false;
  /** Where another load of this page was left, until the reader is there again. */
  let sought: Place | null = null;

  function show(next: Screen): void {
    screen = next;
    flushSync(() => {
      for (const listener of listeners) listener();
    });
  }

  async function loadHere(): Promise<void> {
    if (loading) return;
    loading = true;
    const skeleton = setTimeout(() => show(loadingScreen(location.pathname)), calmMs);
    const { signal } = new AbortController();
    const next = await loadScreen(new URL(location.href), { store, session, signal, place: sought });
    clearTimeout(skeleton);
    loading = false;
    show(next);
    arriveAtSought();
  }

  function arriveAtSought(): void {
    if (sought) findPlace(sought, screen.view, store);
    sought = null;
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    screen: () => screen,
    back() {
      if (document.referrer.startsWith(`${location.origin}/`)) history.back();
      else location.assign('/');
    },
    retry: () => location.reload(),
    reveal: () => void loadHere(),
    resume() {
      const entry = entryKey();
      sought = storedPlace(entry);
      beforePageGoes(() => {
        if (!sought && !isPassing(screen.view)) storePlace(entry, currentPlace());
      });
      if (!sought || isPassing(screen.view)) return;
      if (!isInSight(sought, screen.view, store)) void loadHere();
      else if (hasMovedOn(sought)) sought = null;
      else arriveAtSought();
    },
    toFeed: () => onPageEntry(() => location.replace('/')),
    loadAnew: (address) => onPageEntry(() => loadAnew(address)),
  };
}

/** The key of the history entry; the browser gives it none without the Navigation API. */
function entryKey(): string {
  const known: string | undefined = history.state?.entry;
  if (known !== undefined) return known;
  const entry = randomKey();
  history.replaceState({ ...history.state, entry }, '');
  return entry;
}

/** Where the address is the current one its scroll position stays. */
export function loadAnew(address: string): void {
  if (address === location.pathname + location.search) location.reload();
  else location.assign(address);
}
