import { type PageData, pageTitle } from '#contract/page-data.ts';
import type { PostList } from '../features/posts/store/post-list-state.ts';
import type { PostListId, PostStore } from '../features/posts/store/post-store.ts';
import type { SessionState } from '../features/session/session.ts';
import type { Description, Found, MatchedPage, MatchPage, PageProps } from './page.ts';

/** The content of the screen: one visit to an address. Coming back to the visit brings back the same screen. */
export type Screen = MatchedPage & { path: string } & (
    | { is: 'ready'; shown: PageProps }
    /** A page without its data, because the reader may not see it or is not known yet. `isRefused`: a load said that visitors may not. */
    | { is: 'secured'; shown?: PageProps; isRefused?: true }
    | { is: 'loading' }
    | { is: 'failed'; message: string }
    /** A page for signed-in people, and nobody is signed in. */
    | { is: 'sign-in-needed' }
    /** A page for signed-in people, and the session could not be determined. */
    | { is: 'session-failed'; message: string }
  );

/** Whether a screen is loaded again when Back returns to it, and not kept. */
export const isTransient = ({ is }: Screen): boolean => is !== 'ready';

/** Puts the loaded data into the store and makes the screen. Null means that the page does not exist. */
export function showFound(path: string, { page, params }: MatchedPage, found: Found | null, store: PostStore): Screen {
  const { post, list, secured, ...rest } = found ?? {};
  if (post) store.storePost(post);
  return {
    path,
    page: found ? page : (page.missing ?? page),
    params,
    is: secured ? 'secured' : 'ready',
    shown: { ...rest, ...(list && { list: store.openList(list.source, list.page) }) },
  };
}

type FirstData = Pick<PageData, 'content' | 'person'>;

/** The screen of the page that the server sent. A closed wall sends visitors no content. */
export function firstScreen(
  path: string,
  { content, person }: FirstData,
  matchPage: MatchPage,
  store: PostStore,
): Screen {
  const matched = matchPage(path);
  const isSecured = matched.page.access === 'user' && !person?.user;
  const found = content as Found | null | undefined;
  if (isSecured || found === undefined) return { path, ...matched, is: 'secured' };
  if (found?.failed !== undefined) return { path, ...matched, is: 'failed', message: found.failed };
  return showFound(path, matched, found, store);
}

export const missingDescription: Description = { heading: 'Страница', title: 'Страница не существует' };

export function describeScreen(screen: Screen, store: PostStore, appName: string): Required<Description> {
  const { heading, title = heading } = descriptionOf(screen, store);
  return { heading, title: pageTitle(title, appName) };
}

function descriptionOf(screen: Screen, store: PostStore): Description {
  const { page, params } = screen;
  if (screen.is === 'failed' && !page.canPreview?.(params, store)) return { heading: 'Ошибка' };
  return page.describe(params, screen.is === 'ready' ? screen.shown : null, store);
}

/** The list of posts on a screen. */
export const listOf = (screen: Screen): PostListId | null => (screen.is === 'ready' && screen.shown.list) || null;

export function listOn(screen: Screen, store: PostStore): PostList | undefined {
  const id = listOf(screen);
  return id === null ? undefined : store.list(id);
}

/** The screen to show in this session. Pages for signed-in people wait until the session is known. */
export function screenFor(session: SessionState, screen: Screen): Screen {
  const { is, page } = screen;
  const isSecured = is === 'secured' || (is === 'ready' && page.access === 'user');
  if (!isSecured || session.is === 'authorized') return screen;
  if (session.is === 'authorizing') return { ...screen, is: 'loading' };
  // Visitors may use such a page, so it is loaded without asking them to sign in. On a closed wall the load is refused.
  if (page.access === 'public' && page.module && !(is === 'secured' && screen.isRefused)) return screen;
  if (session.failure !== undefined) return { ...screen, is: 'session-failed', message: session.failure };
  return { ...screen, page: (page.access === 'user' && page.missing) || page, is: 'sign-in-needed' };
}
