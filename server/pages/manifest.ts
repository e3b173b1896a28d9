import type { FastifyInstance } from 'fastify';
import { wallSummary } from '#contract/page.ts';

/** What a phone needs to put the wall on its home screen. Its name is a setting, so it cannot be a file. */
export function manifestRoute(app: FastifyInstance, appName: string): void {
  const background = '#1a1614';
  const manifest = {
    id: '/',
    name: appName,
    short_name: appName,
    description: wallSummary,
    lang: 'ru',
    start_url: '/',
    scope: '/',
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
  app.get('/manifest.webmanifest', (_request, reply) =>
    reply
      .type('application/manifest+json')
      .header('cache-control', 'public, max-age=3600')
      .send(JSON.stringify(manifest)),
  );
}
