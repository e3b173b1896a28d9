import type { Static } from 'typebox';
import type * as schema from './account.schema.ts';
import { endpoint } from './endpoint.ts';

// Apart from account.ts: every page needs these calls, and a module is in the first load as a whole.

export type CurrentUser = Static<typeof schema.currentUser>;
export type PublicUser = Static<typeof schema.publicUser>;

export const getCurrentUser = endpoint<typeof schema.getCurrentUser>({
  method: 'GET',
  path: '/users/current',
  summary: 'Вошедший пользователь',
  access: 'user',
  programs: 'read',
  status: 200,
  codes: [],
});

export const getUser = endpoint<typeof schema.getUser>({
  method: 'GET',
  path: '/users/{username}',
  summary: 'Автор',
  access: 'public',
  programs: 'read',
  status: 200,
  codes: ['NOT_FOUND'],
});
