import { type TObjectOptions, type TProperties, type TSchema, Type } from 'typebox';
import { limits, serverLimits } from './limits.ts';

/** An object that has no other properties. */
export const object = <Properties extends TProperties>(properties: Properties, more: TObjectOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...more });

/** Like `object`, with a name for the schema in the published description of the contract. */
export const named = <Properties extends TProperties>(
  title: string,
  properties: Properties,
  more: TObjectOptions = {},
) => object(properties, { title, ...more });

export const nullable = <Schema extends TSchema>(schema: Schema, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

export const count = Type.Integer({ minimum: 0 });
export const counted = (description: string) => Type.Integer({ minimum: 0, description });

/** Unix seconds. */
export const seconds = Type.Integer({ minimum: 0 });

/** A number in a query. It arrives as text; the published description declares it as a number. */
const number = (pattern: string, range: { minimum: number; maximum: number; default: number; description?: string }) =>
  Type.String({ pattern, contentMediaType: 'application/json', contentSchema: Type.Integer(range) });

/** Any string is accepted as an id. A malformed id gets the same response as an unknown one. */
export const id = Type.String();

/** PostgreSQL cannot store NUL in text. */
export const withoutNul = '^[^\\u0000]*$';

export const clientToken = Type.String({ minLength: 1, maxLength: limits.clientTokenLength, pattern: withoutNul });

export const confirmCode = Type.String({ pattern: `^[0-9]{${limits.codeLength}}$` });

export const email = Type.String({ minLength: 1, maxLength: limits.emailLength });

export const idParams = Type.Object({ id });

/** A call that is repeated with the same key writes nothing. Its response is the result of the first call. */
export const idempotent = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ pattern: `^[\\x21-\\x7e]{1,${serverLimits.idempotencyKeyLength}}$` })),
});

/** The number of items that a query requests. `usual`: the number if it requests none. */
export const limitWith = (usual: number) =>
  Type.Optional(
    number('^[1-9][0-9]{0,8}$', {
      minimum: 1,
      maximum: 999_999_999,
      default: usual,
      description: `Больше ${limits.pageSizeMax} — то же, что ${limits.pageSizeMax}.`,
    }),
  );

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
  limit: limitWith(limits.pageSize),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: serverLimits.cursorLength,
      description: '`next` из прошлого ответа: продолжает список на любой глубине. Номер страницы тогда не важен.',
    }),
  ),
  before: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: serverLimits.cursorLength,
      description:
        '`previous` из прошлого ответа: записи непосредственно над ним, новые сначала. Вместе с cursor не передаётся.',
    }),
  ),
};

export const operation = named('Operation', { id: Type.String() });

/** The first of two calls of an action that a mailed code confirms. `confirmation` is the second one, with the code. */
export const startWithCode = {
  body: object({ clientToken }),
  reply: named('OwnOperation', {
    id: Type.String(),
    email: Type.String({
      description: 'Куда ушёл код: пока смену адреса можно отменить — на прежний адрес.',
    }),
  }),
};
export const confirmation = { params: idParams, body: object({ confirmCode, clientToken }) };

const accessToken = named('AccessToken', { token: Type.String(), expiresAt: seconds });

export const tokenReply = named('TokenReply', { accessToken });
