import { endpoint } from './endpoint.ts';
import type * as schema from './mutes.schema.ts';

export const listMutes = endpoint<typeof schema.listMutes>('GET /users/current/mutes', 'user', { tokenScope: 'read' });

export const mute = endpoint<typeof schema.mute>('PUT /users/current/mutes/{id}', 'user', {
  tokenScope: 'write',
  codes: ['FORBIDDEN', 'NOT_FOUND'],
});

export const unmute = endpoint<typeof schema.unmute>('DELETE /users/current/mutes/{id}', 'user', {
  tokenScope: 'write',
  codes: ['NOT_FOUND'],
});
