import { Type } from 'typebox';
import {
  clientToken,
  confirmCode,
  id,
  idParams,
  named,
  nullable,
  object,
  seconds,
  startWithCode,
  withoutNul,
} from './common.schema.ts';
import { limits } from './limits.ts';

export const tokenScope = Type.Union([Type.Literal('read'), Type.Literal('write')], {
  description: 'read: читать. write: ещё и публиковать, отвечать, отмечать, жаловаться, подписываться.',
});

const fields = { id, name: Type.String(), scope: tokenScope, createdAt: seconds };

const apiToken = named('ApiToken', {
  ...fields,
  lastUsedAt: nullable(seconds, 'С точностью до часа. null: ещё не использован.'),
});

export const listApiTokens = { reply: object({ tokens: Type.Array(apiToken) }) };
export const startApiToken = startWithCode;
export const verifyApiToken = {
  params: idParams,
  body: object({
    confirmCode,
    clientToken,
    // The form in which it is stored has at most this many code points.
    name: Type.String({ minLength: 1, maxLength: limits.tokenNameLength, pattern: withoutNul }),
    scope: tokenScope,
  }),
  reply: named('NewApiToken', {
    ...fields,
    token: Type.String({ description: 'Показывается только здесь: сервер хранит лишь хеш.' }),
  }),
};
export const endApiToken = { params: idParams };
