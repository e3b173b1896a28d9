import type { FastifyInstance } from 'fastify';
import { addresses, documents } from '#contract/addresses.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import { wallSummary } from '#contract/page.ts';
import { ReadyResponse } from '../http/response.ts';

export interface SiteFilesOptions {
  appName: string;
  publicUrl: string;
  /** Where to report a vulnerability, `mailto:` or `https:`. */
  contact: string | undefined;
  securedPaths: readonly string[];
  /** Unix seconds. */
  now: () => number;
}

const plainText = 'text/plain; charset=utf-8';

/** Files that programs look for at fixed addresses and that depend on settings. */
export function siteFileRoutes(app: FastifyInstance, options: SiteFilesOptions): void {
  const { appName, publicUrl, contact, securedPaths, now } = options;

  const robots = new ReadyResponse(robotsTxt(securedPaths, publicUrl), plainText);
  app.get(documents.robots.path, (_request, reply) => reply.respond(robots));

  const manifest = JSON.stringify(webManifest(appName));
  app.get(documents.manifest.path, (_request, reply) =>
    reply.type('application/manifest+json').header('cache-control', 'public, max-age=3600').send(manifest),
  );

  if (contact !== undefined) {
    app.get(documents.securityTxt.path, (_request, reply) =>
      reply.respond(new ReadyResponse(securityTxt(contact, publicUrl, now()), plainText)),
    );
  }
}

/** Search engines may read the public pages. */
function robotsTxt(securedPaths: readonly string[], publicUrl: string): string {
  const [apiRoot] = /^\/[^/]+\//.exec(apiPrefix)!;
  const closed = [apiRoot, ...securedPaths].map((path) => `Disallow: ${path}`);
  return ['User-agent: *', ...closed, '', `Sitemap: ${publicUrl}${documents.sitemap.href()}`, ''].join('\n');
}

/** Needed by phones to install the wall on the home screen. */
function webManifest(appName: string): object {
  const background = '#1a1614';
  const home = addresses.feed.href();
  return {
    id: home,
    name: appName,
    short_name: appName,
    description: wallSummary,
    lang: 'ru',
    start_url: home,
    scope: home,
    display: 'standalone',
    background_color: background,
    theme_color: background,
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: '/icon-maskable-192.png', sizes: '192x192', type: 'image/png', purpose: 'maskable' },
      { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  };
}

const daySeconds = 24 * 3_600;
/** RFC 9116 recommends less than a year. */
const validSeconds = 180 * daySeconds;

/** Where to report a vulnerability, RFC 9116. `now` in unix seconds. */
function securityTxt(contact: string, publicUrl: string, now: number): string {
  // The same for a whole day, so that the ETag stays the same.
  const expires = Math.floor(now / daySeconds) * daySeconds + validSeconds;
  return [
    `Contact: ${contact}`,
    `Expires: ${new Date(expires * 1_000).toISOString()}`,
    'Preferred-Languages: ru, en',
    `Canonical: ${publicUrl}${documents.securityTxt.href()}`,
    '',
  ].join('\n');
}
