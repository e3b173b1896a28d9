import { Type } from 'typebox';
import { role } from './account.schema.ts';
import { count, counted, id, named, nullable, object, paging, seconds, withoutNul } from './common.schema.ts';
import { limits } from './limits.ts';
import { blockDays } from './moderation-acts.ts';
import { act, actId, because, next, reason } from './moderation.schema.ts';
import { displayName } from './posts.schema.ts';

const { limit, cursor } = paging;
const params = Type.Object({ username: Type.String() });
const personAct = named('PersonAct', {
  act_id: actId,
  posts: counted('Сколько записей убрано или возвращено.'),
});

export const moderatedPerson = named('ModeratedPerson', {
  id,
  username: Type.String(),
  display_name: displayName,
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

const actOnPerson = { params, body: because, reply: act };

export const listPeople = {
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
};
export const getPerson = { params, reply: moderatedPerson };
export const blockPerson = {
  params,
  body: object({
    reason,
    remove_posts: Type.Boolean(),
    days: Type.Optional(Type.Enum(blockDays, { description: 'На сколько дней; без него блокировку снимают.' })),
  }),
  reply: personAct,
};
export const unblockPerson = {
  params,
  body: object({ reason, restore_posts: Type.Boolean() }),
  reply: personAct,
};

const branchPerson = named('BranchPerson', {
  id,
  username: nullable(Type.String(), 'null: учётной записи больше нет.'),
  display_name: displayName,
  role: nullable(role),
  is_blocked: Type.Boolean(),
  level: Type.Integer({ minimum: 1, description: '1: человек пришёл по приглашению того, о ком спросили.' }),
  by: nullable(Type.String(), 'Кто пригласил; null: учётной записи больше нет.'),
});

export const branch = named('Branch', {
  inviter: nullable(
    object({ username: nullable(Type.String()), display_name: displayName }),
    'По чьему приглашению человек пришёл; null: ничьему. Имя null: учётной записи больше нет.',
  ),
  may_invite: Type.Enum(['yes', 'no', 'branch'] as const, {
    description: 'no: модератор лишил права приглашать; branch: его лишена ветка, в которой человек.',
  }),
  people: Type.Array(branchPerson, { description: 'Кто пришёл по приглашениям человека и дальше; не больше 100.' }),
  more: Type.Boolean({ description: 'Их больше.' }),
});
export const getBranch = { params, reply: branch };
export const endInviting = actOnPerson;
export const allowInviting = actOnPerson;
export const blockBranch = {
  params,
  body: object({ reason, remove_posts: Type.Boolean() }),
  reply: named('BlockedBranch', {
    blocked: counted('Не больше 100 за раз; каждая блокировка — своя строка журнала.'),
    remaining: counted('Сколько в ветке осталось; не больше 1000.'),
  }),
};
export const warnPerson = actOnPerson;

export const appointPerson = {
  params,
  body: object({ reason, owner: Type.Boolean({ description: 'Владельцем, а не модератором.' }) }),
  reply: act,
};
export const dismissPerson = actOnPerson;
