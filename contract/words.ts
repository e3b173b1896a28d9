import { Type } from 'typebox';
import { call, type TypesOf } from './call.ts';
import { named, object } from './schemas.ts';

/** Whether a person follows the posts with a word or does not want to see them. */
const wordKind = Type.Enum(['follow', 'hide'] as const, {
  description: 'follow: о записях со словом приходят уведомления; hide: записи с ним не показываются.',
});

const chosenWord = named('ChosenWord', { word: Type.String(), kind: wordKind });

const wordParams = Type.Object({
  word: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'Одно слово или `#тег`, до 32 знаков. Находится и в других формах: «лифты» — это и «лифт».',
  }),
});

export type ChosenWord = TypesOf<typeof wordCalls>['GET /users/current/words']['reply']['words'][number];

export const wordCalls = {
  'GET /users/current/words': call({
    name: 'listWords',
    says: 'Слова, за которыми вы следите, и слова, записи с которыми вы не показываете',
    access: 'user',
    scope: 'read',
    reply: object({ words: Type.Array(chosenWord) }),
    example: { reply: { words: [{ word: 'лифт', kind: 'follow' }] } },
  }),
  'PUT /users/current/words/{word}': call({
    name: 'putWord',
    says: 'Следить за словом или не показывать записи с ним; слов каждого вида не больше 20',
    access: 'user',
    spends: 'mutes',
    scope: 'write',
    params: wordParams,
    body: object({ kind: wordKind }),
    example: { params: { word: 'лифт' }, body: { kind: 'follow' } },
  }),
  'DELETE /users/current/words/{word}': call({
    name: 'removeWord',
    says: 'Больше не следить за словом и показывать записи с ним',
    access: 'user',
    spends: 'mutes',
    scope: 'write',
    params: wordParams,
    example: { params: { word: 'лифт' } },
  }),
};
