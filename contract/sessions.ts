import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './sessions.schema.ts';

/** The browser and system that a browser reports. */
export type Device = Static<typeof schema.device>;

/** A session in its owner's list of devices. */
export type OwnSession = Static<typeof schema.listSessions.reply>['sessions'][number];

export const renewToken = endpoint<typeof schema.renewToken>({
  method: 'PATCH',
  path: '/sessions/current',
  access: 'cookie',
  setsCookie: true,
});

export const listSessions = endpoint<typeof schema.listSessions>({
  method: 'GET',
  path: '/sessions',
  access: 'user',
});

export const closeSession = endpoint<typeof schema.closeSession>({
  method: 'DELETE',
  path: '/sessions/{id}',
  access: 'user',
  status: 204,
  codes: ['FORBIDDEN', 'NOT_FOUND'],
});

export const closeOtherSessions = endpoint<typeof schema.closeOtherSessions>({
  method: 'DELETE',
  path: '/sessions',
  access: 'user',
  status: 204,
});

export const closeCurrentSession = endpoint<typeof schema.closeCurrentSession>({
  method: 'DELETE',
  path: '/sessions/current',
  access: 'cookie',
  status: 204,
  setsCookie: true,
});
