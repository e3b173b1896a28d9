import { addresses, documents } from '#contract/addresses.ts';
import { excerpt } from '#contract/excerpt.ts';
import {
  documentTitle,
  pageDataId,
  type PageAssets,
  type PageData,
  userRepliesSummary,
  userSummary,
  wallSummary,
} from '#contract/page.ts';
import { signInFlagScript } from '../features/session/sign-in-flag.ts';
import { earlyClickScript } from './early-click.ts';
import { machineTime } from '../lib/time.ts';
import { mutedScript } from '../features/mutes/stored-mutes.ts';
import type { Post } from '#contract/posts.ts';
import type { Found, FoundList } from './router/page.ts';
import { discussion } from './structured-data.ts';
import { closedPinScript } from '../features/posts/pinned/closed-pin.ts';
import { introScript } from '../pages/stored-intro.ts';
import { orderScript } from '../features/posts/thread/thread-order.ts';
import { themeScript } from './theme/theme-script.ts';
import { themeColors } from './theme/theme.ts';

interface DocumentProps {
  data: PageData;
  assets: PageAssets;
  path: string;
  title: string;
  /** The HTML of the app. It is rendered separately because the browser hydrates it separately. */
  app: string;
}

const summaryLength = 200;

/** The HTML document around the app. */
export function Document({ data, assets, path, title, app }: DocumentProps) {
  const { appName, publicUrl } = data.settings;
  const address = publicUrl + path;
  const found = (data.content ?? {}) as Found;
  const { post, list, search } = found;
  const summary = summaryOf(found);
  const feeds = feedsOf(found, appName);
  return (
    <html lang="ru" data-theme="dark">
      <head>
        <meta charSet="utf-8" />
        <meta
          name="viewport"
          content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content"
        />
        <meta name="theme-color" content={themeColors.dark} />
        <script dangerouslySetInnerHTML={{ __html: themeScript }} />
        <script dangerouslySetInnerHTML={{ __html: signInFlagScript }} />
        <script dangerouslySetInnerHTML={{ __html: mutedScript }} />
        {list?.page.pinned && <script dangerouslySetInnerHTML={{ __html: closedPinScript }} />}
        <script dangerouslySetInnerHTML={{ __html: introScript }} />
        {post && <script dangerouslySetInnerHTML={{ __html: orderScript }} />}
        <script dangerouslySetInnerHTML={{ __html: earlyClickScript }} />
        <title>{title}</title>
        <meta name="description" content={summary} />
        {search && <meta name="robots" content="noindex" />}
        <link rel="canonical" href={address} />
        <meta property="og:type" content={post ? 'article' : 'website'} />
        <meta property="og:site_name" content={appName} />
        <meta property="og:locale" content="ru_RU" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={summary} />
        <meta property="og:url" content={address} />
        <meta property="og:image" content={`${publicUrl}/share.png`} />
        <meta property="og:image:type" content="image/png" />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta property="og:image:alt" content="Кирпичная стена: записи стоят рядами, три из них красные" />
        <meta name="twitter:card" content="summary_large_image" />
        {post && <meta property="article:published_time" content={machineTime(post.created_at)} />}
        {post && <meta property="article:author" content={publicUrl + addresses.user.href(post.owner)} />}
        {feeds.map((feed) => (
          <link key={feed.href} rel="alternate" type="application/atom+xml" {...feed} />
        ))}
        {post && (
          <script
            type="application/ld+json"
            dangerouslySetInnerHTML={{ __html: inScript(discussion(post, repliesTo(post, list!), publicUrl)) }}
          />
        )}
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href={documents.manifest.href()} />
        {assets.styles.map(({ address: file, text }) => (
          <style key={file} data-file={file} dangerouslySetInnerHTML={{ __html: text }} />
        ))}
        {assets.scripts.map((src) => (
          <script key={src} type="module" src={src} />
        ))}
      </head>
      <body>
        <div id="root" dangerouslySetInnerHTML={{ __html: app }} />
        <script id={pageDataId} type="application/json" dangerouslySetInnerHTML={{ __html: inScript(data) }} />
      </body>
    </html>
  );
}

function summaryOf({ post, list, user, document }: Found): string {
  const text = post?.text ?? document?.summary;
  if (text) return excerpt(text, summaryLength);
  if (!user) return wallSummary;
  return list?.source.kind === 'user-replies' ? userRepliesSummary(user.username) : userSummary(user.username);
}
/** The direct replies on the page. */
const repliesTo = ({ id }: Post, { page }: FoundList): Post[] =>
  page.posts.filter(({ actions }) => actions.replied_post_id === id);

/** The Atom feeds of what the page shows. */
function feedsOf({ post, list, user }: Found, appName: string): { title: string; href: string }[] {
  const wall = { title: appName, href: documents.feed.href() };
  const owner = post?.owner ?? user;
  const author = owner && { title: documentTitle(owner.username, appName), href: documents.userFeed.href(owner) };
  return [...(post || list?.source.kind === 'feed' ? [wall] : []), ...(author ? [author] : [])];
}

/** JSON that cannot close the script element it is in. */
function inScript(data: object): string {
  return JSON.stringify(data).replace(/[<\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
