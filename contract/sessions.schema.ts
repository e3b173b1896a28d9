import { Type } from 'typebox';
import { clientToken, id, idParams, seconds, strict, tokenReply, withoutNul } from './common.schema.ts';
import { limits } from './limits.ts';

const deviceField = Type.String({ maxLength: limits.deviceFieldLength, pattern: withoutNul });

export const device = Type.Object(
  { userAgent: deviceField, userAgentVersion: deviceField, os: deviceField },
  { ...strict, title: 'Device' },
);

const session = Type.Object(
  { id, current: Type.Boolean(), createdAt: seconds, lastActiveAt: seconds, device },
  { ...strict, title: 'Session' },
);

export const renewToken = { body: Type.Object({ clientToken }, strict), reply: tokenReply };
export const listSessions = { reply: Type.Object({ sessions: Type.Array(session) }, strict) };
export const closeSession = { params: idParams };
export const closeOtherSessions = {};
export const closeCurrentSession = {};
