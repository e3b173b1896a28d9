import { renderToString } from 'react-dom/server';
import { limits } from '#contract/limits.ts';
import type { PageRenderer } from '#contract/page.ts';
import { App } from './app.tsx';
import { createSession } from '../features/session/session.ts';
import { signInFlagScript } from '../features/session/sign-in-flag.ts';
import { pageHtml } from './page-html.ts';
import { earlyClickScript } from './early-click.ts';
import { failedStartScript, scriptsScript } from './failed-start.ts';
import { introScript } from '../pages/stored-intro.ts';
import { orderScript } from '../features/posts/thread/thread-order.ts';
import { mutedScript } from '../features/mutes/stored-mutes.ts';
import { createMutes } from '../features/mutes/mutes.ts';
import { matchPage, pages } from '../pages/pages.ts';
import { createLikes } from '../features/posts/store/likes.ts';
import { closedPinScript } from '../features/posts/list/closed-pin.ts';
import { createPostStore } from '../features/posts/store/post-store.ts';
import { loadFound } from '../router/load-screen.ts';
import { createPageLoadRouter } from '../router/page-load-router.ts';
import { describeScreen, firstScreen } from '../router/screen.ts';
import { plain } from '../plain/plain-pages.tsx';
import { themeScript } from '../theme/theme.ts';

const { signal } = new AbortController();

export const loadPage: PageRenderer['loadPage'] = async (path, { cursor, q, refused }, call) => {
  const matched = matchPage(path);
  const { access, missing, address } = matched.page;
  if (access === 'user') {
    // The plain page at the same address says for whom it exists; visitors are none of them.
    const isHidden = missing !== undefined && plain.paths.some(({ path: shared }) => shared === address.path);
    return { exists: !isHidden, content: null };
  }
  await matched.page.prefetch?.();
  const request = {
    call,
    cursor: cursor ?? null,
    q: q ?? '',
    refused,
    count: limits.pageSize,
    signal,
    readerId: '',
    authorId: () => undefined,
  };
  const found = await loadFound(matched, request).catch(nullForBrokenCursor);
  return { exists: found !== null, content: found, movedTo: found?.movedTo };
};

/** Links to the next page without JavaScript carry a cursor. An invalid cursor gives a 404. */
function nullForBrokenCursor(error: unknown): null {
  if ((error as { code?: unknown }).code !== 'INVALID_REQUEST') throw error;
  return null;
}

export const paths: PageRenderer['paths'] = pages.map(({ address }) => address.path);

export const securedPaths: PageRenderer['securedPaths'] = pages
  .filter(({ access }) => access === 'user')
  .map(({ address }) => address.path);

export const renderPage: PageRenderer['renderPage'] = (data, assets, path, plainBody) => {
  const { settings, madeAt, content } = data;
  const store = createPostStore();
  const screen = firstScreen(path, content, matchPage, store);
  const likes = createLikes({ store, onRefused: () => {} });
  const session = createSession();
  const mutes = createMutes(session);
  const router = createPageLoadRouter(screen, { matchPage, store, session });
  const app = renderToString(<App {...{ settings, madeAt, store, router, session, mutes, likes }} />);
  const { title } = describeScreen(screen, store, settings.appName);
  return pageHtml({ data, assets, path, title, app, plain: plainBody });
};

export const inlineScripts: PageRenderer['inlineScripts'] = [
  themeScript,
  signInFlagScript,
  mutedScript,
  closedPinScript,
  orderScript,
  introScript,
  earlyClickScript,
  failedStartScript,
  scriptsScript,
];

export { plain };
