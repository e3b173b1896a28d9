import { type Static, Type } from 'typebox';
import { call } from './call.ts';
import { count, named, nullable, object, seconds } from './schemas.ts';

const carry = named('Carry', {
  id: Type.String(),
  whole: Type.Boolean({ description: 'Со всей стеной, а не со своими записями.' }),
  state: Type.Enum(['making', 'ready', 'failed'] as const, {
    description: 'failed: файл не собрался за час. Его можно попросить ещё раз.',
  }),
  done: count,
  total: count,
  url: nullable(Type.String({ description: 'Адрес файла. Кто знает адрес, тот может скачать файл без входа.' })),
  expires_at: seconds,
});

const carryId = object({ id: Type.String({ description: 'Случайная строка, часть адреса файла.' }) });
const year = Type.Optional(
  nullable(Type.Integer({ minimum: 1970, maximum: 2999, description: 'Только записи этого года по UTC.' })),
);
const id = 'hV3xQm0TtP5yW2nB8sLk1A';

export const wallCarryCalls = {
  'POST /keep/carries': call({
    name: 'carryWall',
    says: 'Собрать всю стену в один файл, который открывает браузер',
    access: 'owner',
    spends: 'carries',
    status: 201,
    body: object({ year }),
    reply: carryId,
    example: { body: {}, reply: { id } },
  }),
};

export type Carry = Static<typeof carry>;

export const carryCalls = {
  'POST /users/current/carries': call({
    name: 'carryOwnPosts',
    says: 'Собрать свои записи с обсуждениями вокруг них в один файл, который открывает браузер',
    access: 'user',
    spends: 'carries',
    status: 201,
    body: object({ year }),
    reply: carryId,
    example: { body: {}, reply: { id } },
  }),
  'GET /users/current/carries': call({
    name: 'listCarries',
    says: 'Файлы, которые вы попросили: сколько записей уже в них, и где они. Новые сначала, не больше десяти',
    access: 'user',
    reply: object({ carries: Type.Array(carry) }),
    example: {
      reply: {
        carries: [
          { id, whole: true, state: 'making', done: 12_000, total: 20_134, url: null, expires_at: 1_764_086_400 },
        ],
      },
    },
  }),
};
