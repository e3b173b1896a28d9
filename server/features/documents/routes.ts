import type { FastifyInstance } from 'fastify';
import * as documents from '#contract/documents.ts';
import * as schema from '#contract/documents.schema.ts';
import { readable } from '../../http/readable.ts';
import { orNotFound } from '../../http/requests.ts';
import { jsonResponse } from '../../http/response.ts';
import { serve } from '../../http/serve.ts';
import type { Documents } from './files.ts';

export function documentRoutes(app: FastifyInstance, texts: Documents): void {
  app.addHook('onClose', async () => texts.close());

  serve(app, documents.getDocument, schema.getDocument, async ({ params }) =>
    jsonResponse(orNotFound(texts.get(params.name))),
  );
  // The cache of pages knows the texts by their version, not by tags.
  readable(app, documents.getDocument, async ({ params }) => ({
    reply: orNotFound(texts.get(params.name)),
    tags: [],
  }));
}
