import { endpoint } from './endpoint.ts';
import type * as schema from './mutes.schema.ts';

export const listMutes = endpoint<typeof schema.listMutes>({
  method: 'GET',
  path: '/users/current/mutes',
  access: 'user',
  tokenScope: 'read',
});

export const mute = endpoint<typeof schema.mute>({
  method: 'PUT',
  path: '/users/current/mutes/{id}',
  access: 'user',
  tokenScope: 'write',
  status: 204,
  codes: ['FORBIDDEN', 'NOT_FOUND'],
});

export const unmute = endpoint<typeof schema.unmute>({
  method: 'DELETE',
  path: '/users/current/mutes/{id}',
  access: 'user',
  tokenScope: 'write',
  status: 204,
  codes: ['NOT_FOUND'],
});
