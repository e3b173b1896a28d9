import type { Static } from 'typebox';
import type * as schema from './documents.schema.ts';
import { endpoint } from './endpoint.ts';

/** A text about the wall: one of the operator, or the description of the API. */
export type WallDocument = Static<typeof schema.getDocument.reply>;

export const getDocument = endpoint<typeof schema.getDocument>({
  method: 'GET',
  path: '/documents/{name}',
  summary: 'Документ стены: about, rules, privacy, consent или api',
  access: 'public',
  tokenScope: 'read',
  status: 200,
  codes: ['NOT_FOUND'],
});
