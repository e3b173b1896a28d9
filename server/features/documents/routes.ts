import type { FastifyInstance } from 'fastify';
import * as documents from '#contract/documents.ts';
import type { WallDocument } from '#contract/documents.ts';
import * as schema from '#contract/documents.schema.ts';
import { readable } from '../../http/readable.ts';
import { orNotFound } from '../../http/requests.ts';
import { jsonResponse, type ReadyResponse } from '../../http/response.ts';
import { serve } from '../../http/serve.ts';
import type { Documents } from './files.ts';

/** The operator's texts and the description of the API, which stays the same. */
export function documentRoutes(app: FastifyInstance, texts: Documents, api: () => WallDocument): void {
  app.addHook('onClose', async () => texts.close());

  const get = (name: string): WallDocument => (name === 'api' ? api() : orNotFound(texts.get(name)));
  let apiResponse: ReadyResponse | undefined;
  serve(app, documents.getDocument, schema.getDocument, async ({ params: { name } }) =>
    name === 'api' ? (apiResponse ??= jsonResponse(api())) : jsonResponse(get(name)),
  );
  // The cache of pages knows the texts by their version, not by tags.
  readable(app, documents.getDocument, async ({ params }) => ({
    reply: get(params.name),
    tags: [],
  }));
}
