import { Type } from 'typebox';
import { limits } from './limits.ts';

/** Object schemas refuse what they do not name. */
export const strict = { additionalProperties: false } as const;

/** Unix seconds. */
export const seconds = Type.Integer({ minimum: 0 });

/** What stands in an address is text; as a program sees it, it is a number. */
const number = (pattern: string, range: { minimum: number; maximum: number; default: number; description?: string }) =>
  Type.String({ pattern, contentMediaType: 'application/json', contentSchema: Type.Integer(range) });

/** Any string may stand where an id stands: a malformed id is a missing one. */
export const id = Type.String();

/** PostgreSQL keeps no NUL. */
export const withoutNul = '^[^\\u0000]*$';

export const clientToken = Type.String({ minLength: 1, maxLength: limits.clientTokenLength, pattern: withoutNul });

export const confirmCode = Type.String({ pattern: `^[0-9]{${limits.codeLength}}$` });

export const email = Type.String({ minLength: 1, maxLength: limits.emailLength });

export const idParams = Type.Object({ id });

/** Sent again with the same key, a call does not write again: it answers with what the first one wrote. */
export const idempotent = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ pattern: `^[\\x21-\\x7e]{1,${limits.idempotencyKeyLength}}$` })),
});

export const paging = {
  page: Type.Optional(
    number('^[1-9][0-9]{0,8}$', {
      minimum: 1,
      maximum: 999_999_999,
      default: 1,
      description:
        'Номер страницы, с 1. По номеру открывается любая страница ленты, других списков — первая тысяча записей.',
    }),
  ),
  limit: Type.Optional(
    number('^([1-9]|[1-4][0-9]|50)$', { minimum: 1, maximum: limits.pageSizeMax, default: limits.pageSize }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: limits.cursorLength,
      description: '`next` из прошлого ответа: продолжает список на любой глубине. Номер страницы тогда не важен.',
    }),
  ),
};

/** A title names the schema in the published description of the contract. */
export const operation = Type.Object({ id: Type.String() }, { ...strict, title: 'Operation' });

const accessToken = Type.Object({ token: Type.String(), expiresAt: seconds }, { ...strict, title: 'AccessToken' });

export const tokenReply = Type.Object({ accessToken }, { ...strict, title: 'TokenReply' });
