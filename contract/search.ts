import { type Static, Type } from 'typebox';
import { call } from './call.ts';
import * as values from './example-values.ts';
import { limits, serverLimits } from './limits.ts';
import { fullPost } from './post-schemas.ts';
import { count, named, nullable, paging, withoutNul } from './schemas.ts';

const offset = count;

const foundPosts = named('FoundPosts', {
  posts: Type.Array(fullPost),
  next: nullable(
    Type.String(),
    'Продолжение: передаётся как cursor вместе с тем же q. Страница может быть неполной и даже пустой.',
  ),
  highlights: Type.Array(Type.Array(Type.Tuple([offset, offset])), {
    description:
      'Для каждой записи — отрезки её text, которые совпали с запросом: начало и конец в единицах UTF-16, по порядку, без пересечений.',
  }),
  corrected: nullable(
    Type.String(),
    'Запрос, набранный в другой раскладке, если сам запрос ничего не находит, а исправленный находит.',
  ),
  unknown_author: nullable(
    Type.String(),
    'Имя из от:имя, если такого человека на стене нет. Тогда ничего и не находится.',
  ),
});

export type FoundPosts = Static<typeof foundPosts>;

export const searchCalls = {
  /** With the setting SEARCH=members a visitor gets UNAUTHORIZED. */
  'GET /posts/search': call({
    name: 'searchPosts',
    says: 'Поиск записей и ответов, новые сначала',
    access: 'public',
    scope: 'read',
    query: Type.Object({
      q: Type.String({
        minLength: 1,
        maxLength: limits.searchLength,
        pattern: withoutNul,
        description:
          'Все слова обязательны. Ещё: "точная фраза", от:имя, с:2026-01-01, по:2026-02-01 (включительно, UTC), #слово. Автора или дат достаточно и без слов.',
      }),
      limit: paging.limit,
      cursor: Type.Optional(
        Type.String({ minLength: 1, maxLength: serverLimits.cursorLength, description: '`next` из прошлого ответа.' }),
      ),
    }),
    reply: foundPosts,
    example: {
      query: { q: 'пекарня' },
      reply: { posts: [values.rootPost], next: null, highlights: [[[18, 25]]], corrected: null, unknown_author: null },
    },
  }),
};
