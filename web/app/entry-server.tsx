import { renderToString } from 'react-dom/server';
import { limits } from '#contract/limits.ts';
import type { PageRenderer } from '#contract/page-data.ts';
import { App } from './app.tsx';
import { createSession } from '../features/session/session.ts';
import { firstScript, pageHtml } from './page-html.ts';
import { earlyClickScript, failedStartScript, ownPageScript } from './head-scripts.ts';
import { orderScript } from '../features/posts/thread/thread-order.ts';
import { hiddenWordsScript } from '../features/mutes/stored-words.ts';
import { createMutes } from '../features/mutes/mutes.ts';
import { matchPage, pages } from '../pages/pages.ts';
import { createLikes } from '../features/posts/store/own-likes.ts';
import { closedPinScript } from '../features/posts/list/closed-pin.ts';
import { createPostStore } from '../features/posts/store/post-store.ts';
import { door } from '../pages/page-view.tsx';
import { loadFound } from '../router/load-screen.ts';
import { createPageLoadRouter } from '../router/page-load-router.ts';
import { describeScreen, firstScreen } from '../router/screen.ts';

const { signal } = new AbortController();

await door.load();

export const loadPage: PageRenderer['loadPage'] = async (path, { cursor, q, refusal }, call) => {
  const matched = matchPage(path);
  const { access, missing } = matched.page;
  // Pages that do not exist for everybody, such as those of moderators, do not exist for visitors.
  if (access === 'user') return { exists: missing === undefined, content: null };
  await matched.page.prefetch?.();
  const request = {
    call,
    cursor: cursor ?? null,
    q: q ?? '',
    refusal,
    count: limits.pageSize,
    signal,
    authorId: () => undefined,
  };
  const found = await loadFound(matched, request).catch(nullForBrokenCursor);
  return { exists: found !== null, content: found, movedTo: found?.movedTo };
};

/** Makes the error of an invalid cursor a 404. Links to the next page without JavaScript carry a cursor. */
function nullForBrokenCursor(error: unknown): null {
  if ((error as { code?: unknown }).code !== 'INVALID_REQUEST') throw error;
  return null;
}

export const paths: PageRenderer['paths'] = pages.map(({ address }) => address.path);

export const securedPaths: PageRenderer['securedPaths'] = pages
  .filter(({ access }) => access === 'user')
  .map(({ address }) => address.path);

export const renderPage: PageRenderer['renderPage'] = (data, assets, path) => {
  const { settings, madeAt, content, person } = data;
  const store = createPostStore();
  const screen = firstScreen(path, { content, person }, matchPage, store);
  const likes = createLikes({ store, onRefused: () => {} });
  const session = createSession(person);
  const mutes = createMutes(session, person?.muted);
  const router = createPageLoadRouter(screen, { matchPage, store, session, settings });
  const app = renderToString(<App {...{ settings, madeAt, store, router, session, mutes, likes, first: data }} />);
  const { title } = describeScreen(screen, store, settings.appName);
  return pageHtml({ data, assets, path, title, app });
};

export const inlineScripts: PageRenderer['inlineScripts'] = [
  firstScript,
  hiddenWordsScript,
  closedPinScript,
  orderScript,
  earlyClickScript,
  failedStartScript,
  ownPageScript,
];

export { personal } from './personal-pages.ts';
