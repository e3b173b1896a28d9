import { Type } from 'typebox';
import { object, withoutNul } from './common.schema.ts';
import { limits } from './limits.ts';
import { owner } from './posts.schema.ts';

export const listSuggestions = {
  query: Type.Object({
    q: Type.Optional(
      Type.String({
        maxLength: Math.max(limits.usernameMax, limits.displayNameLength),
        pattern: withoutNul,
        description: 'Начало имени пользователя или имени, регистр и ё не важны. Без него — только люди обсуждения.',
      }),
    ),
    post_id: Type.Optional(
      Type.String({ description: 'Любая запись обсуждения. Кто недавно писал в нём, стоит в ответе первым.' }),
    ),
  }),
  reply: object({ users: Type.Array(owner, { maxItems: limits.suggestions }) }),
};
