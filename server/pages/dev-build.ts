import type { FastifyInstance } from 'fastify';
import { createServer } from 'vite';
import type { PageRenderer } from '#contract/page-data.ts';
import { isApi } from '../http/error-responses.ts';
import type { WebBuild } from './web-build.ts';

/** Renders pages from the sources: each request uses the current files, and edits reach the page in the browser. */
export async function openDevBuild(app: FastifyInstance): Promise<WebBuild> {
  const vite = await createServer({
    appType: 'custom',
    server: { middlewareMode: true, ws: { server: app.server } },
  });
  // Vite serves the sources on the app's own port.
  app.addHook('onRequest', (request, reply, done) => {
    if (isApi(request.url)) done();
    else vite.middlewares(request.raw, reply.raw, done);
  });
  app.addHook('onClose', () => vite.close());

  const renderer = async () => (await vite.ssrLoadModule('/web/app/entry-server.tsx')) as PageRenderer;
  const { paths, securedPaths, personal } = await renderer();
  const assets = { scripts: ['/@vite/client', '/web/app/main.tsx'], styles: [], linked: [], ahead: [], late: [] };
  return {
    load: async (...page) => (await renderer()).loadPage(...page),
    async render(data, path) {
      const { renderPage } = await renderer();
      return [await vite.transformIndexHtml(path, renderPage(data, assets, path).join(''))];
    },
    personal: {
      ...personal,
      load: async (request) => (await renderer()).personal.load(request),
      act: async (...form) => (await renderer()).personal.act(...form),
    },
    paths,
    securedPaths,
    inline: undefined,
    folder: undefined,
  };
}
