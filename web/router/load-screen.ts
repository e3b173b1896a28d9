import type { Session } from '../auth/session.ts';
import { explainError } from '../lib/api-error.ts';
import type { PostStore } from '../posts/post-store.ts';
import { loadContent } from './load-content.ts';
import { matchRoute } from './routes.ts';
import { viewOf, type Screen } from './screen.ts';

interface ScreenLoad {
  store: PostStore;
  session: Session;
  signal: AbortSignal;
}

/** Finds what an address shows and puts it into the store. That it could not be found is a screen as well. */
export async function loadScreen(url: URL, { store, session, signal }: ScreenLoad): Promise<Screen> {
  const path = url.pathname;
  try {
    const content = await loadContent(matchRoute(path), { cursor: url.searchParams.get('cursor'), signal, session });
    signal.throwIfAborted();
    return { path, view: viewOf(content, path, store) };
  } catch (error) {
    // Nobody waits for it any more.
    if (signal.aborted) return loadingScreen(path);
    return { path, view: { kind: 'failed', message: explainError(error) } };
  }
}

export function loadingScreen(path: string): Screen {
  return { path, view: { kind: 'loading', of: matchRoute(path) } };
}
