import { Type } from 'typebox';
import { clientToken, id, idParams, named, object, seconds, tokenReply, withoutNul } from './common.schema.ts';
import { limits } from './limits.ts';

const deviceField = Type.String({ maxLength: limits.deviceFieldLength, pattern: withoutNul });

export const device = named('Device', { userAgent: deviceField, userAgentVersion: deviceField, os: deviceField });

const session = named('Session', { id, current: Type.Boolean(), createdAt: seconds, lastActiveAt: seconds, device });

export const renewToken = { body: object({ clientToken }), reply: tokenReply };
export const listSessions = { reply: object({ sessions: Type.Array(session) }) };
export const closeSession = { params: idParams };
export const closeOtherSessions = {};
export const closeCurrentSession = {};
