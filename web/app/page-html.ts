import { addresses, siteFiles } from '#contract/addresses.ts';
import { excerpt } from '#contract/excerpt.ts';
import {
  pageTitle,
  pageDataId,
  type PageParts,
  type PageAssets,
  type PageData,
  userRepliesSummary,
  userSummary,
  wallSummary,
} from '#contract/page.ts';
import { signInFlagScript } from '../features/session/sign-in-flag.ts';
import { earlyClickScript } from './early-click.ts';
import { failedStartScript, scriptsScript } from './failed-start.ts';
import { machineTime } from '../lib/time.ts';
import { mutedScript } from '../features/mutes/stored-mutes.ts';
import type { Post } from '#contract/posts.ts';
import type { FoundList } from '../features/posts/store/fetch-post-page.ts';
import type { Found } from '../router/page.ts';
import { discussion } from './structured-data.ts';
import { closedPinScript } from '../features/posts/list/closed-pin.ts';
import { introScript } from '../pages/stored-intro.ts';
import { orderScript } from '../features/posts/thread/thread-order.ts';
import plainStyles from '../plain/plain.css?inline';
import { themeColors, themeScript } from '../theme/theme.ts';

interface PageHtmlProps {
  data: PageData;
  assets: PageAssets;
  path: string;
  title: string;
  /** The HTML of the app. Only this part of the page is hydrated. */
  app: string;
  /** The HTML of a plain page at the same address, for this person. */
  plain: string | undefined;
}

const summaryLength = 200;

/** The HTML of a page: the part before the styles, the styles, and the part after them. */
export function pageHtml({ data, assets, path, title, app, plain }: PageHtmlProps): PageParts {
  const { appName, publicUrl } = data.settings;
  // The composer over the feed is no page of its own.
  const address = publicUrl + (path === addresses.newPost.path ? addresses.feed.href() : path);
  const found = (data.content ?? {}) as Found;
  const { post, list, search } = found;
  const summary = summaryOf(found, data.settings.intro);
  const before = [
    begin,
    list?.page.pinned ? scriptTag(closedPinScript) : '',
    scriptTag(introScript),
    post ? scriptTag(orderScript) : '',
    scriptTag(earlyClickScript),
    scriptTag(failedStartScript),
    plain === undefined ? '' : `${scriptTag(scriptsScript)}<style>${plainStyles}</style>`,
    `<title>${escapeHtml(title)}</title>`,
    meta('name', 'description', summary),
    search || data.content === undefined ? meta('name', 'robots', 'noindex') : '',
    `<link rel="canonical" href="${escapeHtml(address)}"/>`,
    meta('property', 'og:type', post ? 'article' : 'website'),
    meta('property', 'og:site_name', appName),
    meta('property', 'og:locale', 'ru_RU'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', summary),
    meta('property', 'og:url', address),
    meta('property', 'og:image', `${publicUrl}/share.png`),
    picture,
    post ? meta('property', 'article:published_time', machineTime(post.created_at)) : '',
    post ? meta('property', 'article:author', publicUrl + addresses.user.href(post.owner)) : '',
    ...feedsOf(found, appName).map(feedLink),
    post ? jsonScript('type="application/ld+json"', discussion(post, repliesTo(post, list!), publicUrl)) : '',
  ];
  const after = `${plain ?? ''}<div id="root">${app}</div>${jsonScript(`id="${pageDataId}" type="application/json"`, data)}</body></html>`;
  return [before.join(''), sharedPart(assets), after];
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (c) => escapes[c]!);

const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}"/>`;

const scriptTag = (text: string): string => `<script>${text}</script>`;

const jsonScript = (attributes: string, data: object): string => `<script ${attributes}>${inScript(data)}</script>`;

const feedLink = ({ title, href }: { title: string; href: string }): string =>
  `<link rel="alternate" type="application/atom+xml" title="${escapeHtml(title)}" href="${escapeHtml(href)}"/>`;

/** The theme is set before anything else, and an early click is noted after all that hides something. */
const begin = [
  '<!doctype html><html lang="ru" data-theme="dark"><head><meta charset="utf-8"/>',
  meta(
    'name',
    'viewport',
    'width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content',
  ),
  meta('name', 'theme-color', themeColors.dark),
  scriptTag(themeScript),
  scriptTag(signInFlagScript),
  scriptTag(mutedScript),
].join('');

const picture = [
  meta('property', 'og:image:type', 'image/png'),
  meta('property', 'og:image:width', '1200'),
  meta('property', 'og:image:height', '630'),
  meta('property', 'og:image:alt', 'Кирпичная стена: записи стоят рядами, три из них красные'),
  meta('name', 'twitter:card', 'summary_large_image'),
].join('');

/** Made once for each set of assets. */
const shared = new WeakMap<PageAssets, string>();

function sharedPart(assets: PageAssets): string {
  const made = shared.get(assets) ?? makeSharedPart(assets);
  shared.set(assets, made);
  return made;
}

const makeSharedPart = ({ styles, scripts }: PageAssets): string =>
  [
    '<link rel="icon" href="/favicon.ico" sizes="32x32"/>',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml"/>',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png"/>',
    `<link rel="manifest" href="${siteFiles.manifest.href()}"/>`,
    ...styles.map(({ address, text }) => `<style data-file="${address}">${text}</style>`),
    ...scripts.map((src) => `<script type="module" src="${src}"></script>`),
    '</head><body>',
  ].join('');

function summaryOf({ post, list, user, wallText }: Found, intro = wallSummary): string {
  const text = post?.text ?? wallText?.summary;
  if (text) return excerpt(text, summaryLength);
  if (!user) return intro;
  return list?.source.kind === 'user-replies' ? userRepliesSummary(user.username) : userSummary(user.username);
}
/** The direct replies on the page. */
const repliesTo = ({ id }: Post, { page }: FoundList): Post[] =>
  page.posts.filter(({ actions }) => actions.replied_post_id === id);

/** The Atom feeds of what the page shows. */
function feedsOf({ post, list, user }: Found, appName: string): { title: string; href: string }[] {
  const wall = { title: appName, href: siteFiles.feed.href() };
  const owner = post?.owner ?? user;
  const author = owner && { title: pageTitle(owner.username, appName), href: siteFiles.userFeed.href(owner) };
  const discussed = { title: pageTitle('Обсуждаемые', appName), href: siteFiles.discussedFeed.href() };
  if (list?.source.kind === 'discussed') return [discussed];
  return [...(post || list?.source.kind === 'feed' ? [wall] : []), ...(author ? [author] : [])];
}

/** JSON that cannot close the script element it is in. */
function inScript(data: object): string {
  return JSON.stringify(data).replace(/[<\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
