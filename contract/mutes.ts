import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './mutes.schema.ts';

export type MutedUser = Static<typeof schema.mutedUser>;

export const listMutes = endpoint<typeof schema.listMutes>({
  method: 'GET',
  path: '/users/current/mutes',
  summary: 'Скрытые авторы, последние сначала',
  access: 'user',
  tokenScope: 'read',
  status: 200,
  codes: [],
});

export const mute = endpoint<typeof schema.mute>({
  method: 'PUT',
  path: '/users/current/mutes/{id}',
  summary: 'Скрыть автора',
  access: 'user',
  tokenScope: 'write',
  status: 204,
  codes: ['FORBIDDEN', 'NOT_FOUND'],
});

export const unmute = endpoint<typeof schema.unmute>({
  method: 'DELETE',
  path: '/users/current/mutes/{id}',
  summary: 'Показывать автора',
  access: 'user',
  tokenScope: 'write',
  status: 204,
  codes: ['NOT_FOUND'],
});
