import type { Screen } from './screen.ts';

export interface Router {
  subscribe(listener: () => void): () => void;
  screen(): Screen;
  /** One step back inside the app, to the feed when there is none. */
  back(): void;
  /** Tries the current address once more. */
  retry(): void;
  /** To the feed, and Back does not lead here again. */
  toFeed(): void;
  /** A full page load, here or elsewhere in the app. */
  loadAnew(address: string): void;
}

/** Every link is a full page load: on the server, and in a browser without the Navigation API. */
export function createPageLoadRouter(screen: Screen): Router {
  return {
    subscribe: () => () => {},
    screen: () => screen,
    back() {
      if (document.referrer.startsWith(`${location.origin}/`)) history.back();
      else location.assign('/');
    },
    retry: () => location.reload(),
    toFeed: () => location.replace('/'),
    loadAnew,
  };
}

/** Where the address is the current one its scroll position stays. */
export function loadAnew(address: string): void {
  if (address === location.pathname + location.search) location.reload();
  else location.assign(address);
}
