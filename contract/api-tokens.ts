import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './api-tokens.schema.ts';

/** A token in its owner's list, without its secret. */
export type ApiToken = Static<typeof schema.listApiTokens.reply>['tokens'][number];
export type NewApiToken = Static<typeof schema.verifyApiToken.reply>;

export const listApiTokens = endpoint<typeof schema.listApiTokens>({
  method: 'GET',
  path: '/users/current/tokens',
  access: 'user',
});

export const startApiToken = endpoint<typeof schema.startApiToken>({
  method: 'POST',
  path: '/users/current/tokens',
  access: 'user',
  status: 201,
  codes: ['FORBIDDEN'],
});

export const verifyApiToken = endpoint<typeof schema.verifyApiToken>({
  method: 'POST',
  path: '/users/current/tokens/{id}/verify',
  access: 'user',
  status: 201,
  codes: ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED', 'FORBIDDEN'],
});

export const endApiToken = endpoint<typeof schema.endApiToken>({
  method: 'DELETE',
  path: '/users/current/tokens/{id}',
  access: 'user',
  status: 204,
  codes: ['NOT_FOUND'],
});
