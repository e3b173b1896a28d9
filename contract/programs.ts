import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './programs.schema.ts';

/** A token in its owner's list, without its secret. */
export type ProgramToken = Static<typeof schema.listProgramTokens.reply>['tokens'][number];
export type NewProgramToken = Static<typeof schema.verifyProgramToken.reply>;

export const listProgramTokens = endpoint<typeof schema.listProgramTokens>({
  method: 'GET',
  path: '/users/current/tokens',
  summary: 'Свои токены для программ, новые сначала',
  access: 'user',
  status: 200,
  codes: [],
});

export const startProgramToken = endpoint<typeof schema.startProgramToken>({
  method: 'POST',
  path: '/users/current/tokens',
  summary: 'Начать создание токена для программы: код уходит на почту',
  access: 'user',
  status: 201,
  codes: ['FORBIDDEN'],
});

export const verifyProgramToken = endpoint<typeof schema.verifyProgramToken>({
  method: 'POST',
  path: '/users/current/tokens/{id}/verify',
  summary: 'Создать токен для программы с кодом',
  access: 'user',
  status: 201,
  codes: ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'OPERATION_EXPIRED', 'FORBIDDEN'],
});

export const endProgramToken = endpoint<typeof schema.endProgramToken>({
  method: 'DELETE',
  path: '/users/current/tokens/{id}',
  summary: 'Завершить свой токен для программы',
  access: 'user',
  status: 204,
  codes: ['NOT_FOUND'],
});
