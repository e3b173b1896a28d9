import type { Static } from 'typebox';
import { endpoint, verifyCodes } from './endpoint.ts';
import type * as schema from './api-tokens.schema.ts';

/** A token in its owner's list, without its secret. */
export type ApiToken = Static<typeof schema.listApiTokens.reply>['tokens'][number];
export type NewApiToken = Static<typeof schema.verifyApiToken.reply>;

export const listApiTokens = endpoint<typeof schema.listApiTokens>('GET /users/current/tokens', 'user');

export const startApiToken = endpoint<typeof schema.startApiToken>('POST /users/current/tokens', 'user', {
  status: 201,
  codes: ['FORBIDDEN'],
});

export const verifyApiToken = endpoint<typeof schema.verifyApiToken>('POST /users/current/tokens/{id}/verify', 'user', {
  status: 201,
  codes: [...verifyCodes, 'FORBIDDEN'],
});

export const endApiToken = endpoint<typeof schema.endApiToken>('DELETE /users/current/tokens/{id}', 'user', {
  codes: ['NOT_FOUND'],
});
