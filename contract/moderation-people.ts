import { type Static, Type } from 'typebox';
import { role } from './account.ts';
import { call } from './call.ts';
import * as values from './example-values.ts';
import type { Called } from './keeper-acts.ts';
import { blockDays, limits } from './limits.ts';
import { act, actBy, actId, because, next, reason } from './moderation.ts';
import { names } from './post-schemas.ts';
import { count, counted, id, named, nullable, object, paging, seconds, withoutNul } from './schemas.ts';

const { limit, cursor } = paging;
const params = Type.Object({ username: Type.String() });
const personAct = named('PersonAct', {
  act_id: actId,
  posts: counted('Сколько записей убрано или возвращено.'),
});

const moderatedPerson = named('ModeratedPerson', {
  id,
  ...names,
  created_at: seconds,
  posts_count: count,
  replies_count: count,
  role: nullable(role),
  blocked: nullable(object({ at: seconds, reason: Type.String(), until: nullable(seconds) })),
  warning: nullable(Type.String(), 'Предупреждение, которое ещё не прочитано.'),
  removed_posts: counted('Не больше 1000.'),
  claim_url: nullable(
    Type.String(),
    'Ссылка, по которой человек получит перенесённую учётную запись. null: она уже чья-то.',
  ),
  open_reports: counted('Открытых жалоб на записи человека; не больше 1000.'),
});

const branchPerson = named('BranchPerson', {
  id,
  ...names,
  username: nullable(Type.String(), 'null: учётной записи больше нет.'),
  role: nullable(role),
  is_blocked: Type.Boolean(),
  level: Type.Integer({ minimum: 1, description: '1: человек пришёл по приглашению того, о ком спросили.' }),
  by: nullable(Type.String(), 'Кто пригласил; null: учётной записи больше нет.'),
});

const branch = named('Branch', {
  inviter: nullable(
    object({ ...names, username: nullable(Type.String()) }),
    'По чьему приглашению человек пришёл; null: ничьему. Имя null: учётной записи больше нет.',
  ),
  may_invite: Type.Enum(['yes', 'no', 'branch'] as const, {
    description: 'no: модератор лишил права приглашать; branch: его лишена ветка, в которой человек.',
  }),
  people: Type.Array(branchPerson, { description: 'Кто пришёл по приглашениям человека и дальше; не больше 100.' }),
  more: Type.Boolean({ description: 'Их больше.' }),
});

export type ModeratedPerson = Static<typeof moderatedPerson>;
export type Branch = Static<typeof branch>;

const byName = { username: values.boris.username };
const ofPerson = { ...values.act, posts: 0 };
const person = {
  ...values.boris,
  created_at: values.at,
  posts_count: 12,
  replies_count: 40,
  role: null,
  blocked: null,
  warning: null,
  removed_posts: 1,
  claim_url: null,
  open_reports: 1,
};

const actOnPerson = <Name extends Called>(name: Name, body = values.because) =>
  actBy(name, (row) =>
    call({ ...row, params, body: because, reply: act, example: { params: byName, body, reply: values.act } }),
  );

export const peopleCalls = {
  'GET /moderation/people': call({
    name: 'listPeople',
    says: 'Люди: новые сначала или по началу имени',
    access: 'moderator',
    query: Type.Object({
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.usernameMax,
          pattern: withoutNul,
          description: 'Начало имени, русскими или латинскими буквами: тогда по алфавиту, иначе новые сначала.',
        }),
      ),
      state: Type.Optional(
        Type.Enum(['all', 'blocked', 'imported'] as const, {
          default: 'all',
          description: 'imported: перенесены со своими записями и ещё не заходили.',
        }),
      ),
      cursor,
      limit,
    }),
    reply: named('ModeratedPeople', { people: Type.Array(moderatedPerson), next }),
    example: { query: { q: 'bor' }, reply: { people: [person], next: null } },
  }),
  'GET /moderation/people/{username}': call({
    name: 'getPerson',
    says: 'Человек, каким его видят модераторы',
    access: 'moderator',
    params,
    reply: moderatedPerson,
    example: { params: byName, reply: person },
  }),
  ...actBy('block', (row) =>
    call({
      ...row,
      params,
      body: object({
        reason,
        remove_posts: Type.Boolean(),
        days: Type.Optional(Type.Enum(blockDays, { description: 'На сколько дней; без него блокировку снимают.' })),
      }),
      reply: personAct,
      example: { params: byName, body: { ...values.because, remove_posts: false }, reply: ofPerson },
    }),
  ),
  ...actOnPerson('warn'),
  ...actBy('unblock', (row) =>
    call({
      ...row,
      params,
      body: object({ reason, restore_posts: Type.Boolean() }),
      reply: personAct,
      example: { params: byName, body: { ...values.because, restore_posts: false }, reply: ofPerson },
    }),
  ),
  /** The people who have registered with the person's invitations, with invitations of those people, and so on. */
  'GET /moderation/people/{username}/branch': call({
    name: 'getBranch',
    says: 'Кто кого пригласил: ветка человека',
    access: 'moderator',
    params,
    reply: branch,
    example: {
      params: byName,
      reply: {
        inviter: values.galinaByName,
        may_invite: 'yes',
        people: [
          {
            id: '9',
            username: 'vera_n',
            display_name: 'Вера',
            face: null,
            role: null,
            is_blocked: false,
            level: 1,
            by: values.boris.username,
          },
        ],
        more: false,
      },
    },
  }),
  ...actOnPerson('end-inviting'),
  ...actOnPerson('allow-inviting'),
  'POST /moderation/people/{username}/branch/block': call({
    name: 'blockBranch',
    says: 'Заблокировать человека и тех, кого он привёл; нужен свежий код',
    access: 'moderator',
    codes: ['CONFIRMATION_REQUIRED'],
    params,
    body: object({ reason, remove_posts: Type.Boolean() }),
    reply: named('BlockedBranch', {
      blocked: counted('Не больше 100 за раз; каждая блокировка — своя строка журнала.'),
      remaining: counted('Сколько в ветке осталось; не больше 1000.'),
    }),
    example: { params: byName, body: { ...values.because, remove_posts: true }, reply: { blocked: 12, remaining: 0 } },
  }),
  ...actBy('appoint', (row) =>
    call({
      ...row,
      params,
      body: object({ reason, owner: Type.Boolean({ description: 'Владельцем, а не модератором.' }) }),
      reply: act,
      example: { params: byName, body: { reason: 'Помогает вести стену', owner: false }, reply: values.act },
    }),
  ),
  ...actOnPerson('dismiss-moderator', { reason: 'Устал' }),
};
