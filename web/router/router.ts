import type { Screen } from './screen.ts';

export interface Router {
  subscribe(listener: () => void): () => void;
  screen(): Screen;
  /** One step back inside the app, to the feed when there is none. */
  back(): void;
  /** Tries the current address once more. */
  retry(): void;
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
  };
}
