import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './sessions.schema.ts';

/** The browser and system that a browser reports. */
export type Device = Static<typeof schema.device>;

/** A session in its owner's list of devices. */
export type OwnSession = Static<typeof schema.listSessions.reply>['sessions'][number];

export const renewToken = endpoint<typeof schema.renewToken>('PATCH /sessions/current', 'cookie', { setsCookie: true });
export const listSessions = endpoint<typeof schema.listSessions>('GET /sessions', 'user');

export const closeSession = endpoint<typeof schema.closeSession>('DELETE /sessions/{id}', 'user', {
  codes: ['FORBIDDEN', 'NOT_FOUND'],
});

export const closeOtherSessions = endpoint<typeof schema.closeOtherSessions>('DELETE /sessions', 'user');

export const closeCurrentSession = endpoint<typeof schema.closeCurrentSession>('DELETE /sessions/current', 'cookie', {
  setsCookie: true,
});
