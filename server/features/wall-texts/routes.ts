import type { FastifyInstance } from 'fastify';
import * as wallTexts from '#contract/wall-texts.ts';
import type { WallText } from '#contract/wall-texts.ts';
import * as schema from '#contract/wall-texts.schema.ts';
import { readable } from '../../http/readable.ts';
import { orNotFound } from '../../http/requests.ts';
import { jsonResponse } from '../../http/response.ts';
import { serve } from '../../http/serve.ts';
import type { WallTexts } from './files.ts';

/** The operator's texts and the description of the API. */
export function wallTextRoutes(app: FastifyInstance, texts: WallTexts, api: () => WallText): void {
  app.addHook('onClose', async () => texts.close());

  const get = (name: string): WallText => (name === 'api' ? api() : orNotFound(texts.get(name)));
  serve(app, wallTexts.getWallText, schema.getWallText, async ({ params: { name } }) => jsonResponse(get(name)));
  // The cache of pages knows the texts by their version, not by tags.
  readable(app, wallTexts.getWallText, async ({ params }) => ({
    reply: get(params.name),
    tags: [],
  }));
}
