import type { FastifyInstance } from 'fastify';
import { type Address, addresses, siteFiles } from '#contract/addresses.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { wallSummary } from '#contract/page-data.ts';
import { escapeHtml } from '#contract/text-parts.ts';
import type { WallSettings } from '../features/wall-texts/wall-settings.ts';
import { ReadyResponse } from '../http/response.ts';

export interface SiteFilesOptions {
  wall: WallSettings;
  securedPaths: readonly string[];
  /** The addresses of pages that are made for one visitor. */
  visitorPaths: readonly string[];
  /** Unix seconds. */
  now: () => number;
}

const plainText = 'text/plain; charset=utf-8';

/** Files that programs look for at fixed addresses and that depend on settings. */
export function siteFileRoutes(app: FastifyInstance, options: SiteFilesOptions): void {
  const { wall, securedPaths, visitorPaths, now } = options;
  const { publicUrl } = wall;

  const robots = new ReadyResponse(robotsTxt([...securedPaths, ...visitorPaths], publicUrl), plainText);
  app.get(siteFiles.robots.path, (_request, reply) => reply.respond(robots));

  app.get(siteFiles.manifest.path, (_request, reply) => {
    const manifest = JSON.stringify(webManifest(wall));
    return reply.type('application/manifest+json').header('cache-control', 'public, max-age=3600').send(manifest);
  });

  for (const [address, kind] of marks) {
    app.get(address.path, (_request, reply) => {
      if (wall.mark === undefined) return reply.callNotFound();
      const type = 'image/svg+xml';
      return reply.type(type).header('cache-control', 'public, max-age=3600').send(markSvg(wall.mark, kind));
    });
  }

  for (const [address, picture] of pictures) {
    app.get(address.path, (_request, reply) => {
      if (wall.pictures === undefined) return reply.callNotFound();
      const png = Buffer.from(wall.pictures[picture], 'base64');
      return reply.type('image/png').header('cache-control', 'public, max-age=3600').send(png);
    });
  }

  app.get(siteFiles.securityTxt.path, (_request, reply) => {
    const { ownContact } = wall;
    if (ownContact === undefined) return reply.callNotFound();
    return reply.respond(new ReadyResponse(securityTxt(ownContact, publicUrl, now()), plainText));
  });
}

/** Search engines may read the public pages. */
function robotsTxt(paths: readonly string[], publicUrl: string): string {
  const [apiRoot] = /^\/[^/]+\//.exec(apiPrefix)!;
  // A parameter of an address becomes a wildcard.
  const patterns = [apiRoot, ...paths].map((path) => path.replaceAll(/\{[^}]*\}/g, '*'));
  const closed = [...new Set(patterns)].map((path) => `Disallow: ${path}`);
  return ['User-agent: *', ...closed, '', `Sitemap: ${publicUrl}${siteFiles.sitemap.href()}`, ''].join('\n');
}

const pictures = [
  [siteFiles.sharePicture, 'share'],
  [siteFiles.homeIcon, 'icon'],
] as const;

const background = '#1a1614';
const marks = [
  [siteFiles.mark, 'any'],
  [siteFiles.markUnread, 'unread'],
  [siteFiles.markMaskable, 'maskable'],
] as const;

/** The wall's emoji as an icon. The emoji is text in the SVG, drawn with the font of the device that shows it. */
function markSvg(mark: string, kind: (typeof marks)[number][1]): string {
  const size = kind === 'maskable' ? 280 : 420;
  const ground = kind === 'maskable' ? `<rect width="512" height="512" fill="${background}"/>` : '';
  const dot =
    kind === 'unread' ? `<circle cx="400" cy="112" r="96" fill="#ef774b" stroke="#fff" stroke-width="28"/>` : '';
  const text = `<text x="256" y="264" font-size="${size}" text-anchor="middle" dominant-baseline="central">${escapeHtml(mark)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${ground}${text}${dot}</svg>`;
}

const markIcons = [
  { src: siteFiles.mark.href(), sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  { src: siteFiles.markMaskable.href(), sizes: 'any', type: 'image/svg+xml', purpose: 'maskable' },
];

const brickIcons = [
  { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
  { src: '/icon-maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
  { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
];

/** Phones need the manifest to install the wall on the home screen. */
function webManifest({ appName, line, mark }: WallSettings): object {
  const home = addresses.feed.href();
  return {
    id: home,
    name: appName,
    short_name: appName,
    description: line ?? wallSummary,
    lang: 'ru',
    start_url: home,
    scope: home,
    display: 'standalone',
    background_color: background,
    theme_color: background,
    categories: ['social', 'lifestyle'],
    icons: mark === undefined ? brickIcons : markIcons,
    screenshots: [
      screenshot('narrow-feed', '780x1688', 'Лента'),
      screenshot('narrow-discussion', '780x1688', 'Обсуждение'),
      screenshot('wide-feed', '1440x900', 'Лента на большом экране'),
    ],
    shortcuts: [
      shortcut('Новая запись', addresses.newPost, 'new-post'),
      shortcut('Уведомления', addresses.notifications, 'notifications'),
      shortcut('Поиск', addresses.search, 'search'),
    ],
    // With GET the page is opened like a link, so it can only fill in the composer.
    share_target: {
      action: addresses.newPost.href(),
      method: 'GET',
      enctype: 'application/x-www-form-urlencoded',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  };
}

/** A picture that browsers show when they offer to install the wall; its file name begins with its form factor. */
function screenshot(name: string, sizes: string, label: string): object {
  const [form_factor] = name.split('-', 1);
  return { src: `/screenshot-${name}.webp`, sizes, type: 'image/webp', form_factor, label };
}

/** An entry in the menu of the icon on the home screen. */
function shortcut(name: string, { href }: Address, icon: string): object {
  return { name, url: href(), icons: [{ src: `/shortcut-${icon}.png`, sizes: '96x96', type: 'image/png' }] };
}

const daySeconds = 24 * 3_600;
/** RFC 9116 recommends less than a year. */
const validSeconds = 180 * daySeconds;

/** The address for reports of vulnerabilities, RFC 9116. `now` is in unix seconds. */
function securityTxt(contact: string, publicUrl: string, now: number): string {
  // The time is the same for a whole day, so that the ETag stays the same.
  const expires = Math.floor(now / daySeconds) * daySeconds + validSeconds;
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(expires * 1_000).toISOString()}`,
    'Preferred-Languages: ru, en',
    `Canonical: ${publicUrl}${siteFiles.securityTxt.href()}`,
    '',
  ].join('\n');
}
