import type { FastifyInstance } from 'fastify';
import { createServer } from 'vite';
import type { PageRenderer } from '#contract/page.ts';
import { isApi } from '../http/errors.ts';
import type { WebBuild } from './web-build.ts';

/** Pages straight from the sources: each request renders what the files say now, and edits reach the open page. */
export async function openDevBuild(app: FastifyInstance): Promise<WebBuild> {
  const vite = await createServer({
    appType: 'custom',
    server: { middlewareMode: true, ws: { server: app.server } },
  });
  // Vite answers for the sources, on the app's own port.
  app.addHook('onRequest', (request, reply, done) => {
    if (isApi(request.url)) done();
    else vite.middlewares(request.raw, reply.raw, done);
  });
  app.addHook('onClose', () => vite.close());

  const assets = { scripts: ['/@vite/client', '/web/main.tsx'], styles: [] };
  return {
    async render(data, path) {
      const { renderDocument } = (await vite.ssrLoadModule('/web/entry-server.tsx')) as PageRenderer;
      return vite.transformIndexHtml(path, renderDocument(data, assets, path));
    },
    inlineScripts: undefined,
    folder: undefined,
  };
}
