import type { Session } from '../features/session/session.ts';
import { explainError, isNotFound } from '../lib/explain-error.ts';
import { call } from '../lib/api.ts';
import type { ClientSettings } from '#contract/page-data.ts';
import type { PostStore } from '../features/posts/store/post-store.ts';
import type { Found, LoadRequest, MatchedPage, MatchPage } from './page.ts';
import type { Spot } from './spot.ts';
import { listOf, type Screen, showFound } from './screen.ts';

export interface RouterOptions {
  matchPage: MatchPage;
  store: PostStore;
  session: Session;
  settings: ClientSettings;
}

interface ScreenLoad extends RouterOptions {
  signal: AbortSignal;
  /** The reader's position on the page. The list is loaded down to it. */
  spot?: Spot | null;
}

/** Runs a page's `load`; null when there is nothing at the address. */
export async function loadFound({ page, params }: MatchedPage, request: LoadRequest): Promise<Found | null> {
  try {
    return page.load ? await page.load(params, request) : {};
  } catch (error) {
    if (page.missing && isNotFound(error)) return null;
    throw error;
  }
}

/** Loads the page of an address and puts its posts into the store. A failed load gives a screen that says so. */
export async function loadScreen(
  url: URL,
  { matchPage, store, session, settings, signal, spot }: ScreenLoad,
): Promise<Screen> {
  const path = url.pathname;
  const matched = matchPage(path);
  try {
    let own: LoadRequest['own'];
    const { access, module } = matched.page;
    if (access === 'user' || module) {
      const reader = matched.page.load && (await session.known());
      const user = reader?.is === 'authorized' ? reader.user : null;
      if (access === 'user' && user === null) return { path, ...matched, is: 'secured' };
      own = { href: path + url.search, user, settings, knownPost: (id) => store.post(id) };
    }
    const anchor = spot?.anchor ?? null;
    const cursor = url.searchParams.get('cursor');
    const q = url.searchParams.get('q') ?? '';
    const authorId = store.posts.ownerNamed;
    const count = anchor?.position ?? 0;
    const found = await loadFound(matched, { call, cursor, q, count, signal, authorId, own });
    const list = found?.list;
    const append = anchor && list && (await (await import('./load-down-to.ts')).loadDownTo(anchor, list, signal));
    signal.throwIfAborted();
    const screen = showFound(path, matched, found, store);
    append?.(store, listOf(screen)!);
    return screen;
  } catch (error) {
    // The navigation was abandoned.
    if (signal.aborted) return loadingScreen(path, matchPage);
    // The wall was closed after this page had been loaded, or the session has ended.
    if ((error as { code?: unknown }).code === 'UNAUTHORIZED')
      return { path, ...matched, is: 'secured', isRefused: true };
    return { path, ...matched, is: 'failed', message: explainError(error) };
  }
}

/** The previous page stays on the screen, or below a layer, for this long. A slower load shows the skeleton of the next page. */
export const calmMs = 150;

export const loadingScreen = (path: string, matchPage: MatchPage): Screen => ({
  path,
  ...matchPage(path),
  is: 'loading',
});

/** The current address, loaded again. */
export const reloaded = (options: RouterOptions): Promise<Screen> =>
  loadScreen(new URL(location.href), { ...options, signal: new AbortController().signal });
