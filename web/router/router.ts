import type { Observable } from '../lib/observable.ts';
import type { Screen } from './screen.ts';

export interface Router {
  screen: Observable<Screen>;
  /** One step back inside the app, or to the feed. */
  back(): void;
  /** Loads the current address again after a failure. */
  retry(): void;
  /** Loads the list of a page for signed-in people once the session is known. */
  reveal(): void;
  /** After hydration: restores the place stored by an earlier load of the page. */
  resume(): void;
  /** Replaces the current history entry with the feed. */
  toFeed(): void;
  /** A full page load of any address of the app. */
  loadAnew(address: string): void;
}

/** A load of the current address keeps the scroll position. */
export function loadAnew(address: string): void {
  if (address === location.pathname + location.search) location.reload();
  else location.assign(address);
}
