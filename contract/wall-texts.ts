import type { Static } from 'typebox';
import type * as schema from './wall-texts.schema.ts';
import { endpoint } from './endpoint.ts';

/** A text about the wall: one of the operator, or the description of the API. */
export type WallText = Static<typeof schema.getWallText.reply>;

export const getWallText = endpoint<typeof schema.getWallText>('GET /documents/{name}', 'public', {
  tokenScope: 'read',
  codes: ['NOT_FOUND'],
});
