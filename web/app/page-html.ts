import { addresses, siteFiles } from '#contract/addresses.ts';
import { excerpt } from '#contract/text-parts.ts';
import {
  type ClientSettings,
  type PageAssets,
  type PageData,
  pageDataId,
  type PageParts,
  pageTitle,
  userRepliesSummary,
  userSummary,
  wallSummary,
} from '#contract/page-data.ts';
import type { Post, QuotedPost } from '#contract/posts.ts';
import { bothNames } from '#contract/username.ts';
import { mutedScript } from '../features/mutes/stored-mutes.ts';
import { hiddenWordsScript } from '../features/mutes/stored-words.ts';
import { closedPinScript } from '../features/posts/list/closed-pin.ts';
import type { FoundList } from '../features/posts/store/fetch-post-page.ts';
import { orderScript } from '../features/posts/thread/thread-order.ts';
import { signInFlagScript } from '../features/session/sign-in-flag.ts';
import { machineTime } from '../lib/time.ts';
import { tabIcons } from '../lib/wall-icons.ts';
import type { Found } from '../router/page.ts';
import { themeColors, themeScript } from '../theme/theme.ts';
import { earlyClickScript, failedStartScript, ownPageScript } from './head-scripts.ts';

/** A post and its replies in the vocabulary of schema.org, for search engines. */
function discussion(post: Post, replies: readonly Post[], publicUrl: string): object {
  const addressOf = (id: string): string => publicUrl + addresses.post.href({ id });
  const described = ({ id, text, created_at, owner, actions }: Post | QuotedPost) => ({
    url: addressOf(id),
    text,
    datePublished: machineTime(created_at),
    author: {
      '@type': 'Person',
      name: bothNames(owner),
      url: publicUrl + addresses.user.href(owner),
    },
    interactionStatistic: [counter('LikeAction', actions.likes_count), counter('CommentAction', actions.replies_count)],
  });
  const { parent_post_id: root } = post.actions;
  return {
    '@context': 'https://schema.org',
    '@type': 'DiscussionForumPosting',
    ...described(post),
    ...(root !== null && { isPartOf: addressOf(root) }),
    ...(replies.length > 0 && {
      comment: replies.map((reply) => ({ '@type': 'Comment', ...described(reply) })),
    }),
  };
}

const counter = (action: 'LikeAction' | 'CommentAction', count: number) => ({
  '@type': 'InteractionCounter',
  interactionType: `https://schema.org/${action}`,
  userInteractionCount: count,
});

interface PageHtmlProps {
  data: PageData;
  assets: PageAssets;
  path: string;
  title: string;
  /** The HTML of the app. Only this part of the page is hydrated. */
  app: string;
}

const summaryLength = 200;

/** The HTML of a page: the part before the styles, the styles, and the part after them. */
export function pageHtml({ data, assets, path, title, app }: PageHtmlProps): PageParts {
  const { post, list } = (data.content ?? {}) as Found;
  const before = [
    data.person?.user ? begin.replace('<html', '<html data-signed-in') : begin,
    list?.page.pinned ? scriptTag(closedPinScript) : '',
    post ? scriptTag(orderScript) : '',
    scriptTag(earlyClickScript),
    data.person ? scriptTag(ownPageScript) : '',
    scriptTag(failedStartScript),
    `<title>${escapeHtml(title)}</title>`,
    iconLinks(data.settings),
    data.person ? forOne(data) : forEverybody(data, path, title),
  ];
  const late = assets.late.map((file) => `<link rel="stylesheet" href="${file}"/>`).join('');
  const after = `<div id="root">${app}</div>${jsonScript(`id="${pageDataId}" type="application/json"`, data)}${late}</body></html>`;
  return [before.join(''), sharedPart(assets), after];
}

/** A page made for one person or visitor is in no search engine. Only an invitation has a preview in chats. */
function forOne({ content, settings }: PageData): string {
  const { previewTitle: title } = ((content as Found | undefined)?.own?.data ?? {}) as { previewTitle?: string };
  const robots = meta('name', 'robots', 'noindex');
  return title === undefined
    ? robots
    : robots + preview(settings, title, settings.line ?? settings.intro ?? wallSummary);
}

/** The elements that chats read for the preview of a link. */
const preview = (settings: ClientSettings, title: string, summary: string): string =>
  [
    meta('property', 'og:site_name', settings.appName),
    meta('property', 'og:locale', 'ru_RU'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', summary),
    picture(settings),
  ].join('');

/** The elements for search engines, link previews and feed readers. */
function forEverybody(data: PageData, path: string, title: string): string {
  const { appName, publicUrl } = data.settings;
  const address = publicUrl + path;
  const found = (data.content ?? {}) as Found;
  const { post, list, search } = found;
  const summary = summaryOf(found, data.settings.intro);
  return [
    meta('name', 'description', summary),
    search || data.content === undefined ? meta('name', 'robots', 'noindex') : '',
    // A missing page has no canonical address.
    data.content ? `<link rel="canonical" href="${escapeHtml(address)}"/>` : '',
    meta('property', 'og:type', post ? 'article' : 'website'),
    preview(data.settings, title, summary),
    data.content ? meta('property', 'og:url', address) : '',
    post ? meta('property', 'article:published_time', machineTime(post.created_at)) : '',
    post ? meta('property', 'article:author', publicUrl + addresses.user.href(post.owner)) : '',
    ...feedsOf(found, appName).map(feedLink),
    post ? jsonScript('type="application/ld+json"', discussion(post, repliesTo(post, list!), publicUrl)) : '',
  ].join('');
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (c) => escapes[c]!);

const meta = (kind: 'name' | 'property', name: string, content: string): string =>
  `<meta ${kind}="${name}" content="${escapeHtml(content)}"/>`;

const scriptTag = (text: string): string => `<script>${text}</script>`;

const jsonScript = (attributes: string, data: object): string => `<script ${attributes}>${inScript(data)}</script>`;

const feedLink = ({ title, href }: { title: string; href: string }): string =>
  `<link rel="alternate" type="application/atom+xml" title="${escapeHtml(title)}" href="${escapeHtml(href)}"/>`;

/**
 * The first script of every page: the theme comes first, so that nothing is painted in the other one. It is one script, because each has a
 * hash in the policy of every page.
 */
export const firstScript = themeScript + signInFlagScript + mutedScript;

/** The beginning of every page. */
const begin = [
  '<!doctype html><html lang="ru" data-theme="dark"><head><meta charset="utf-8"/>',
  meta(
    'name',
    'viewport',
    'width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content',
  ),
  meta('name', 'theme-color', themeColors.dark),
  scriptTag(firstScript),
].join('');

/** The address of the wall's own picture names its content, so that caches load a changed picture at once. */
const picture = ({ appName, line, pictures, publicUrl }: ClientSettings): string =>
  [
    meta(
      'property',
      'og:image',
      publicUrl + (pictures === undefined ? '/share.png' : `${siteFiles.sharePicture.href()}?${pictures}`),
    ),
    meta('property', 'og:image:type', 'image/png'),
    meta('property', 'og:image:width', '1200'),
    meta('property', 'og:image:height', '630'),
    meta(
      'property',
      'og:image:alt',
      pictures === undefined
        ? 'Кирпичная стена: записи стоят рядами, три из них красные'
        : [appName, line].filter(Boolean).join('. '),
    ),
    meta('name', 'twitter:card', 'summary_large_image'),
  ].join('');

const link = (attributes: Record<string, string>): string =>
  `<link${Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')}/>`;

const iconLinks = (settings: ClientSettings): string =>
  [
    ...tabIcons(settings).map((icon) => link({ rel: 'icon', ...icon })),
    link({
      rel: 'apple-touch-icon',
      href:
        settings.pictures === undefined ? '/apple-touch-icon.png' : `${siteFiles.homeIcon.href()}?${settings.pictures}`,
    }),
  ].join('');

/** The part that all pages share, made once for each set of assets. */
const shared = new WeakMap<PageAssets, string>();

function sharedPart(assets: PageAssets): string {
  const made = shared.get(assets) ?? makeSharedPart(assets);
  shared.set(assets, made);
  return made;
}

const makeSharedPart = ({ styles, linked, scripts, ahead, hiddenWords }: PageAssets): string =>
  [
    hiddenWords ? `<script data-file="${hiddenWords}">${hiddenWordsScript}</script>` : '',
    `<link rel="manifest" href="${siteFiles.manifest.href()}"/>`,
    ...styles.map(({ address, text }) => `<style data-file="${address}">${text}</style>`),
    ...linked.map((file) => `<link rel="stylesheet" href="${file}"/>`),
    ...ahead.map(
      (file) => `<link rel="${file.endsWith('.css') ? 'preload" as="style' : 'modulepreload'}" href="${file}"/>`,
    ),
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
function feedsOf({ post, list, user, search }: Found, appName: string): { title: string; href: string }[] {
  const wall = { title: appName, href: siteFiles.feed.href() };
  const owner = post?.owner ?? user;
  const author = owner && { title: pageTitle(owner.username, appName), href: siteFiles.userFeed.href(owner) };
  const discussed = { title: pageTitle('Обсуждаемые', appName), href: siteFiles.discussedFeed.href() };
  if (list?.source.kind === 'discussed') return [discussed];
  if (list?.source.kind === 'best')
    return [{ title: pageTitle('Лучшее за неделю', appName), href: siteFiles.bestFeed.href() }];
  if (search?.q)
    return [{ title: pageTitle(`${search.q}: поиск`, appName), href: siteFiles.searchFeed.href({}, { q: search.q }) }];
  const root = post && { id: post.actions.parent_post_id ?? post.id };
  const replies = root && { title: 'Это обсуждение', href: siteFiles.discussionFeed.href(root) };
  return [
    ...(post || list?.source.kind === 'feed' ? [wall] : []),
    ...(replies ? [replies] : []),
    ...(author ? [author] : []),
  ];
}

/** JSON that cannot close the script element it is in. */
function inScript(data: object): string {
  return JSON.stringify(data).replace(/[<\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
