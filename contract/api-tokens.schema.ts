import { Type } from 'typebox';
import { clientToken, confirmCode, id, idParams, operation, seconds, strict, withoutNul } from './common.schema.ts';
import { limits } from './limits.ts';

export const tokenScope = Type.Union([Type.Literal('read'), Type.Literal('write')], {
  description: 'read: читать. write: ещё и публиковать, отвечать, отмечать, жаловаться, подписываться.',
});

const fields = { id, name: Type.String(), scope: tokenScope, createdAt: seconds };

const apiToken = Type.Object(
  {
    ...fields,
    lastUsedAt: Type.Union([seconds, Type.Null()], { description: 'С точностью до часа. null: ещё не использован.' }),
  },
  { ...strict, title: 'ApiToken' },
);

export const listApiTokens = { reply: Type.Object({ tokens: Type.Array(apiToken) }, strict) };
export const startApiToken = { body: Type.Object({ clientToken }, strict), reply: operation };
export const verifyApiToken = {
  params: idParams,
  body: Type.Object(
    {
      confirmCode,
      clientToken,
      // The form in which it is stored has at most this many code points.
      name: Type.String({ minLength: 1, maxLength: limits.tokenNameLength, pattern: withoutNul }),
      scope: tokenScope,
    },
    strict,
  ),
  reply: Type.Object(
    { ...fields, token: Type.String({ description: 'Показывается только здесь: сервер хранит лишь хеш.' }) },
    { ...strict, title: 'NewApiToken' },
  ),
};
export const endApiToken = { params: idParams };
