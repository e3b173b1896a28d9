import type { Observable } from '../lib/observable.ts';
import type { Screen } from './screen.ts';

export interface Router {
  screen: Observable<Screen>;
  /** Goes one step back inside the app, or to the feed. */
  back(): void;
  /** Loads the current address again after a failure. */
  retry(): void;
  /** Loads the data of a page that the server has sent without it. */
  reveal(): void;
  /** Loads the data of the current page again, without a skeleton. A failure leaves what is there. */
  refresh(): Promise<void>;
  /** Called after hydration. Restores the position stored by an earlier load of the page, or goes to the reply that the address names. */
  resume(): void;
  /** Replaces the current history entry with the feed. */
  toFeed(): void;
  /** Makes a full page load of an address of the app. `replaces`: the address replaces the current one in the history. */
  loadAnew(address: string, replaces?: boolean): void;
}

/** A load of the current page keeps the history entry and the scroll position. */
export function loadAnew(address: string, replaces = false): void {
  if (new URL(address, location.origin).pathname === location.pathname) {
    history.replaceState(history.state, '', address);
    location.reload();
  } else if (replaces) location.replace(address);
  else location.assign(address);
}
