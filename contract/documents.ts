import type { Static } from 'typebox';
import type * as schema from './documents.schema.ts';
import { endpoint } from './endpoint.ts';

/** A text of the operator about the wall. */
export type WallDocument = Static<typeof schema.getDocument.reply>;

export const getDocument = endpoint<typeof schema.getDocument>({
  method: 'GET',
  path: '/documents/{name}',
  summary: 'Документ стены: about, rules, privacy или consent',
  access: 'public',
  status: 200,
  codes: ['NOT_FOUND'],
});
