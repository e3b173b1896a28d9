import { type Static, Type } from 'typebox';
import { call, type TypesOf } from './call.ts';
import * as values from './example-values.ts';
import { limits } from './limits.ts';
import { clientToken, id, idParams, named, object, seconds, tokenReply, withoutNul } from './schemas.ts';

const deviceField = Type.String({ maxLength: limits.deviceFieldLength, pattern: withoutNul });

export const device = named('Device', { userAgent: deviceField, userAgentVersion: deviceField, os: deviceField });

const session = named('Session', { id, current: Type.Boolean(), createdAt: seconds, lastActiveAt: seconds, device });

/** The browser and system that a browser reports. */
export type Device = Static<typeof device>;

/** A session in its owner's list of devices. */
export type OwnSession = TypesOf<typeof sessionCalls>['GET /sessions']['reply']['sessions'][number];

export const sessionCalls = {
  'PATCH /sessions/current': call({
    name: 'renewToken',
    says: 'Получить новый токен по cookie сеанса',
    access: 'cookie',
    setsCookie: true,
    body: object({ clientToken }),
    reply: tokenReply,
    example: { body: { clientToken: values.clientToken }, reply: values.tokens },
  }),
  'GET /sessions': call({
    name: 'listSessions',
    says: 'Свои сеансы, текущий сначала',
    access: 'user',
    reply: object({ sessions: Type.Array(session) }),
    example: {
      reply: {
        sessions: [
          {
            id: values.sessionId,
            current: true,
            createdAt: values.at,
            lastActiveAt: values.at + 600,
            device: values.device,
          },
        ],
      },
    },
  }),
  'DELETE /sessions/{id}': call({
    name: 'closeSession',
    says: 'Завершить другой свой сеанс',
    access: 'user',
    codes: ['FORBIDDEN', 'NOT_FOUND'],
    params: idParams,
    example: { params: { id: values.sessionId } },
  }),
  'DELETE /sessions': call({
    name: 'closeOtherSessions',
    says: 'Завершить все сеансы, кроме текущего',
    access: 'user',

    example: {},
  }),
  'DELETE /sessions/current': call({
    name: 'closeCurrentSession',
    says: 'Выйти',
    access: 'cookie',
    setsCookie: true,
    example: {},
  }),
};
