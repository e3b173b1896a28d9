import { renderToStaticMarkup, renderToString } from 'react-dom/server';
import type { PageRenderer } from '#contract/page.ts';
import { App } from './app.tsx';
import { createSession } from './auth/session.ts';
import { signInMarkScript } from './auth/sign-in-mark.ts';
import { Document } from './document.tsx';
import { earlyClickScript } from './early-click.ts';
import { mutedScript } from './mutes/muted-script.ts';
import { createMutes } from './mutes/mutes.ts';
import { describeView } from './pages/describe-view.ts';
import { createLikes } from './posts/likes.ts';
import { createPostStore } from './posts/post-store.ts';
import { createPageLoadRouter } from './router/router.ts';
import { viewOf } from './router/screen.ts';
import { themeScript } from './theme/theme-script.ts';

export const renderDocument: PageRenderer['renderDocument'] = (data, assets, address) => {
  const path = address.replace(/\?.*/s, '');
  const { settings, madeAt, content } = data;
  const store = createPostStore();
  const view = viewOf(content, path, store);
  const likes = createLikes({ store, onRefused: () => {} });
  const session = createSession();
  const mutes = createMutes(session);
  const router = createPageLoadRouter({ path, view }, store, session);
  const app = renderToString(
    <App
      settings={settings}
      madeAt={madeAt}
      store={store}
      router={router}
      session={session}
      mutes={mutes}
      likes={likes}
    />,
  );
  const { title, summary } = describeView(view, store, settings.appName);
  const document = <Document data={data} assets={assets} path={path} title={title} summary={summary} app={app} />;
  return `<!doctype html>${renderToStaticMarkup(document)}`;
};

export const inlineScripts: PageRenderer['inlineScripts'] = [
  themeScript,
  signInMarkScript,
  mutedScript,
  earlyClickScript,
];
