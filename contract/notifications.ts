import type * as schema from './notifications.schema.ts';
import { endpoint } from './endpoint.ts';

export const listAnswers = endpoint<typeof schema.listAnswers>({
  method: 'GET',
  path: '/users/current/answers',
  summary: 'Ответы других на свои записи и ответы, новые сначала',
  access: 'user',
  status: 200,
  codes: [],
});

/** Those that came before are read with it; what is read stays read. */
export const readAnswers = endpoint<typeof schema.readAnswers>({
  method: 'PUT',
  path: '/users/current/answers/read',
  summary: 'Отметить ответы прочитанными до названного включительно',
  access: 'user',
  status: 204,
  codes: ['NOT_FOUND'],
});
