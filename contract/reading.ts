import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './reading.schema.ts';

export type ReadingPosition = Static<typeof schema.readingPosition>;

export const getReading = endpoint<typeof schema.getReading>('GET /users/current/reading', 'user', {
  tokenScope: 'read',
});

/** The reply names the furthest position: of this call, an earlier one or another device. */
export const putReading = endpoint<typeof schema.putReading>('PUT /users/current/reading', 'user', {
  tokenScope: 'write',
});
