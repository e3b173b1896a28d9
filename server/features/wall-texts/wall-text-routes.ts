import type { FastifyInstance } from 'fastify';
import type { WallText } from '#contract/wall-texts.ts';
import { readable } from '../../http/readable.ts';
import { orNotFound, serve } from '../../http/serve.ts';
import { jsonResponse } from '../../http/response.ts';
import type { WallTexts } from './operator-texts.ts';

/** The operator's texts and the description of the API. */
export function wallTextRoutes(app: FastifyInstance, texts: WallTexts, api: () => WallText): void {
  app.addHook('onClose', async () => texts.close());

  const get = (name: string): WallText => (name === 'api' ? api() : orNotFound(texts.get(name)));
  serve(app, 'GET /documents/{name}', async ({ params: { name } }) => jsonResponse(get(name)));
  // No tags: the version of the texts is part of the keys in the cache of pages.
  readable(app, 'GET /documents/{name}', async ({ params }) => ({
    reply: get(params.name),
    tags: [],
  }));
}
