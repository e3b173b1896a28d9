import { documentTitle, pageDataId, type PageAssets, type PageContent, type PageData } from '#contract/page.ts';
import { signInMarkScript } from './auth/sign-in-mark.ts';
import { earlyClickScript } from './early-click.ts';
import { machineTime } from './lib/time.ts';
import { mutedScript } from './mutes/muted-script.ts';
import { discussion } from './structured-data.ts';
import { themeScript } from './theme/theme-script.ts';
import { themeColors } from './theme/theme.ts';

interface DocumentProps {
  data: PageData;
  assets: PageAssets;
  path: string;
  title: string;
  summary: string;
  /** The app's own HTML. It is made apart, as the browser hydrates it apart. */
  app: string;
}

/** The whole HTML around the app. */
export function Document({ data, assets, path, title, summary, app }: DocumentProps) {
  const { appName, publicUrl } = data.settings;
  const address = publicUrl + path;
  const post = data.content.kind === 'post' ? data.content.post : undefined;
  const feeds = feedsOf(data.content, appName);
  return (
    <html lang="ru" data-theme="dark">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" content={themeColors.dark} />
        <script dangerouslySetInnerHTML={{ __html: themeScript }} />
        <script dangerouslySetInnerHTML={{ __html: signInMarkScript }} />
        <script dangerouslySetInnerHTML={{ __html: mutedScript }} />
        <script dangerouslySetInnerHTML={{ __html: earlyClickScript }} />
        <title>{title}</title>
        <meta name="description" content={summary} />
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
        {post && <meta property="article:author" content={publicUrl + pageOf(post.owner)} />}
        {feeds.map((feed) => (
          <link key={feed.href} rel="alternate" type="application/atom+xml" {...feed} />
        ))}
        {data.content.kind === 'post' && (
          <script
            type="application/ld+json"
            dangerouslySetInnerHTML={{ __html: inScript(discussion(data.content, publicUrl)) }}
          />
        )}
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        {assets.styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
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

/** Where programs may follow what the page shows. */
function feedsOf(content: PageContent, appName: string): { title: string; href: string }[] {
  const wall = { title: appName, href: '/feed.xml' };
  const by = (author: { username: string }) => ({
    title: documentTitle(author.username, appName),
    href: `${pageOf(author)}/feed.xml`,
  });
  if (content.kind === 'feed') return [wall];
  if (content.kind === 'user') return [by(content.user)];
  return content.kind === 'post' ? [wall, by(content.post.owner)] : [];
}

const pageOf = ({ username }: { username: string }): string => `/users/${encodeURIComponent(username)}`;

/** JSON that cannot end the script element it stands in. */
function inScript(data: object): string {
  return JSON.stringify(data).replace(/[<\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
