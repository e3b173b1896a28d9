import { Type } from 'typebox';
import { call, type TypesOf, verifyCodes } from './call.ts';
import * as values from './example-values.ts';
import { limits } from './limits.ts';
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
} from './schemas.ts';

export const tokenScope = Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('feed')], {
  description:
    'read: читать. write: ещё и публиковать, отвечать, отмечать, жаловаться, подписываться. feed: ничего, кроме лент Atom закрытой стены, в адресе которых он стоит.',
});

const fields = { id, name: Type.String(), scope: tokenScope, createdAt: seconds };

const apiToken = named('ApiToken', {
  ...fields,
  lastUsedAt: nullable(seconds, 'С точностью до часа. null: ещё не использован.'),
});

/** A token in its owner's list, without its secret. */
export type ApiToken = TypesOf<typeof apiTokenCalls>['GET /users/current/tokens']['reply']['tokens'][number];
export type NewApiToken = TypesOf<typeof apiTokenCalls>['POST /users/current/tokens/{id}/verify']['reply'];

export const apiTokenCalls = {
  'GET /users/current/tokens': call({
    name: 'listApiTokens',
    says: 'Свои токены для программ, новые сначала',
    access: 'user',
    reply: object({ tokens: Type.Array(apiToken) }),
    example: { reply: { tokens: [{ ...values.apiToken, lastUsedAt: values.at + 3_600 }] } },
  }),
  'POST /users/current/tokens': call({
    name: 'startApiToken',
    says: 'Начать создание токена для программы: код уходит на почту',
    access: 'user',
    status: 201,
    codes: ['FORBIDDEN'],
    ...startWithCode,
    example: { body: { clientToken: values.clientToken }, reply: values.ownOperation },
  }),
  'POST /users/current/tokens/{id}/verify': call({
    name: 'verifyApiToken',
    says: 'Создать токен для программы с кодом',
    access: 'user',
    status: 201,
    codes: [...verifyCodes, 'FORBIDDEN'],
    params: idParams,
    body: object({
      confirmCode,
      clientToken,
      // In code points. The same limit applies to the stored name.
      name: Type.String({ minLength: 1, maxLength: limits.tokenNameLength, pattern: withoutNul }),
      scope: tokenScope,
    }),
    reply: named('NewApiToken', {
      ...fields,
      token: Type.String({ description: 'Показывается только здесь: сервер хранит лишь хеш.' }),
    }),
    example: {
      params: values.operation,
      body: { ...values.confirm, name: values.apiToken.name, scope: values.apiToken.scope },
      reply: { ...values.apiToken, token: 'stena_Zk2vR0q9x' },
    },
  }),
  'DELETE /users/current/tokens/{id}': call({
    name: 'endApiToken',
    says: 'Завершить свой токен для программы',
    access: 'user',
    codes: ['NOT_FOUND'],
    params: idParams,
    example: { params: { id: values.tokenId } },
  }),
};
