import type { Session } from '../auth/session.ts';
import { explainError } from '../lib/api-error.ts';
import type { PostStore } from '../posts/post-store.ts';
import { limitFor } from '../posts/fetch-post-page.ts';
import { listIn, loadContent } from './load-content.ts';
import type { Place } from './place.ts';
import { matchRoute } from './routes.ts';
import { listOf, viewOf, type Screen } from './screen.ts';

interface ScreenLoad {
  store: PostStore;
  session: Session;
  signal: AbortSignal;
  /** Where the reader was: the list is loaded as far down. */
  place?: Place | null;
}

/** Finds what an address shows and puts it into the store. That it could not be found is a screen as well. */
export async function loadScreen(url: URL, { store, session, signal, place }: ScreenLoad): Promise<Screen> {
  const path = url.pathname;
  try {
    const anchor = place?.anchor ?? null;
    const cursor = url.searchParams.get('cursor');
    const limit = limitFor(anchor?.position ?? 0);
    const content = await loadContent(matchRoute(path), { cursor, limit, signal, session });
    const list = listIn(content);
    const below = anchor && list ? await (await import('./load-down-to.ts')).loadDownTo(anchor, list, signal) : [];
    signal.throwIfAborted();
    const view = viewOf(content, path, store);
    for (const page of below) store.appendPage(listOf(view)!, page);
    return { path, view };
  } catch (error) {
    // Nobody waits for it any more.
    if (signal.aborted) return loadingScreen(path);
    return { path, view: { kind: 'failed', message: explainError(error) } };
  }
}

/** The page one leaves stays this long; only a slower one is announced by its skeleton. */
export const calmMs = 150;

export function loadingScreen(path: string): Screen {
  return { path, view: { kind: 'loading', of: matchRoute(path) } };
}
