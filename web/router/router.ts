import type { Session } from '../auth/session.ts';
import type { PostStore } from '../posts/post-store.ts';
import { loadScreen } from './load-screen.ts';
import type { Screen } from './screen.ts';

export interface Router {
  subscribe(listener: () => void): () => void;
  screen(): Screen;
  /** One step back inside the app, to the feed when there is none. */
  back(): void;
  /** Tries the current address once more. */
  retry(): void;
  /** Loads what the page holds for whoever is signed in, once that is known. */
  reveal(): void;
  /** To the feed, and Back does not lead here again. */
  toFeed(): void;
  /** A full page load, here or elsewhere in the app. */
  loadAnew(address: string): void;
}

/** Every link is a full page load: on the server, and in a browser without the Navigation API. */
export function createPageLoadRouter(first: Screen, store: PostStore, session: Session): Router {
  const listeners = new Set<() => void>();
  let screen = first;
  let revealing = false;

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
    async reveal() {
      if (revealing) return;
      revealing = true;
      screen = await loadScreen(new URL(location.href), { store, session, signal: new AbortController().signal });
      revealing = false;
      for (const listener of listeners) listener();
    },
    toFeed: () => location.replace('/'),
    loadAnew,
  };
}

/** Where the address is the current one its scroll position stays. */
export function loadAnew(address: string): void {
  if (address === location.pathname + location.search) location.reload();
  else location.assign(address);
}
