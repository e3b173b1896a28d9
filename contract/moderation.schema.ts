import { Type } from 'typebox';
import {
  clientToken,
  confirmCode,
  id,
  idempotent,
  idParams,
  operation,
  paging,
  seconds,
  strict,
  withoutNul,
} from './common.schema.ts';
import { role } from './account.schema.ts';
import { limits } from './limits.ts';
import { blockDays } from './moderation-acts.ts';
import { paceSeconds } from './pace.ts';
import { registration } from './keep.schema.ts';
import { displayName, fullPost, owner, pendingPost } from './posts.schema.ts';

const count = Type.Integer({ minimum: 0 });
const idOrNull = Type.Union([id, Type.Null()]);
const next = Type.Union([Type.String(), Type.Null()], { description: 'Продолжение: передаётся как cursor.' });
const { limit, cursor } = paging;
const byNameParams = Type.Object({ username: Type.String() });

/** Up to 500 characters, as in a post. It is in the journal; the person concerned reads it. */
const reason = Type.String({ minLength: 1 });
const because = Type.Object({ reason }, { ...strict, title: 'Because' });

/** `null`: it was done already, and the journal has no new entry. */
const actId = Type.Union([id, Type.Null()], {
  description: 'Номер действия в журнале; null: так уже было, в журнале ничего нового.',
});
const act = Type.Object({ act_id: actId }, { ...strict, title: 'Act' });
const settlingAct = Type.Object({ act_id: actId, settled_reports: count }, { ...strict, title: 'SettlingAct' });
const personAct = Type.Object(
  { act_id: actId, posts: Type.Integer({ minimum: 0, description: 'Сколько записей убрано или возвращено.' }) },
  { ...strict, title: 'PersonAct' },
);

const report = Type.Object(
  {
    by: Type.Union([Type.String(), Type.Null()], { description: 'Чья жалоба; null: на запись самого модератора.' }),
    at: seconds,
    reason_id: id,
    comment: Type.Union([Type.String(), Type.Null()], { description: 'Что написал пожаловавшийся.' }),
    text: Type.String(),
    open: Type.Boolean(),
  },
  { ...strict, title: 'Report' },
);

export const reportedPost = Type.Object(
  {
    post_id: id,
    text: Type.String({ description: 'Каким был при последней жалобе.' }),
    author: Type.Object({ ...owner.properties, is_blocked: Type.Boolean() }, strict),
    state: Type.Union(
      [Type.Literal('visible'), Type.Literal('changed'), Type.Literal('removed'), Type.Literal('deleted')],
      { description: 'changed: на стене, но текст с тех пор другой.' },
    ),
    current_text: Type.Union([Type.String(), Type.Null()], { description: 'null: на стене записи нет.' }),
    open: count,
    reports: Type.Array(report, { description: 'Новые сначала, не больше 50.' }),
    replied_post: Type.Union([Type.Object({ id, text: Type.String(), owner }, strict), Type.Null()], {
      description: 'На что это ответ, если оно на стене.',
    }),
    parent_post_id: idOrNull,
  },
  { ...strict, title: 'ReportedPost' },
);

export const moderatedPerson = Type.Object(
  {
    id,
    username: Type.String(),
    display_name: displayName,
    created_at: seconds,
    posts_count: count,
    replies_count: count,
    role: Type.Union([role, Type.Null()]),
    blocked: Type.Union([
      Type.Object({ at: seconds, reason: Type.String(), until: Type.Union([seconds, Type.Null()]) }, strict),
      Type.Null(),
    ]),
    warning: Type.Union([Type.String(), Type.Null()], { description: 'Предупреждение, которое ещё не прочитано.' }),
    removed_posts: Type.Integer({ minimum: 0, description: 'Не больше 1000.' }),
    claim_url: Type.Union([Type.String(), Type.Null()], {
      description: 'Ссылка, по которой человек получит перенесённую учётную запись. null: она уже чья-то.',
    }),
    open_reports: Type.Integer({ minimum: 0, description: 'Открытых жалоб на записи человека; не больше 1000.' }),
  },
  { ...strict, title: 'ModeratedPerson' },
);

export const invite = Type.Object(
  {
    id,
    note: Type.String(),
    created_at: seconds,
    used_at: Type.Union([seconds, Type.Null()]),
    used_by: Type.Union([Type.String(), Type.Null()], { description: 'Кто пришёл последним.' }),
    seats: Type.Integer({ minimum: 0, description: 'На скольких оно; у отозванного: сколько пришло.' }),
    used: count,
    may_end: Type.Boolean({ description: 'Действует, и вы можете его отозвать.' }),
  },
  { ...strict, title: 'Invite' },
);

export const journalEntry = Type.Object(
  {
    id,
    at: seconds,
    by: Type.String({ description: 'Кто: имя на тот момент.' }),
    by_id: Type.Union([id, Type.Null()], { description: 'null: оператор, из командной строки.' }),
    action: Type.String({ description: 'Как называется команда: remove, restore, dismiss, block, …' }),
    target: Type.Union([Type.String(), Type.Null()], { description: 'Номер записи или имя на тот момент.' }),
    target_id: Type.Union([id, Type.Null()], { description: 'Номер записи или человека.' }),
    reason: Type.String(),
    details: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
    undo: Type.Boolean({ description: 'Действует, и его можно отменить.' }),
    post: Type.Union([Type.Object({ text: Type.String(), is_removed: Type.Boolean() }, strict), Type.Null()], {
      description: 'Запись, о которой решали, какая она теперь. null: решали не о записи, или автор её удалил.',
    }),
  },
  { ...strict, title: 'JournalEntry' },
);

export const listReported = {
  query: Type.Object({
    state: Type.Optional(
      Type.Union([Type.Literal('open'), Type.Literal('settled'), Type.Literal('all')], { default: 'open' }),
    ),
    cursor,
    limit,
  }),
  reply: Type.Object(
    {
      reports: Type.Array(reportedPost),
      next,
      open: Type.Integer({ minimum: 0, maximum: 1_000, description: 'Сколько записей с открытыми жалобами.' }),
      settled: Type.Integer({ minimum: 0, maximum: 1_000, description: 'Сколько записей, чьи жалобы рассмотрены.' }),
    },
    { ...strict, title: 'ReportedPosts' },
  ),
};
const onBadge = Type.Integer({ minimum: 0, maximum: 100, description: 'Не больше 100.' });
export const countReports = { reply: Type.Object({ open: onBadge, pending: onBadge }, strict) };

export const moderatedPending = Type.Object(
  {
    ...pendingPost.properties,
    owner,
    replied_post: Type.Union([Type.Object({ id, text: Type.String(), owner }, strict), Type.Null()], {
      description: 'На что это ответ, если оно на стене.',
    }),
  },
  { ...strict, title: 'ModeratedPending' },
);
export const listPending = {
  query: Type.Object({ cursor, limit }),
  reply: Type.Object(
    {
      posts: Type.Array(moderatedPending),
      next,
      last_hour: Type.Object(
        { since: seconds, until: seconds, posts: count, people: count },
        { ...strict, description: 'Что написано за последний час: для blockWaiting.' },
      ),
    },
    { ...strict, title: 'ModeratedPendingPosts' },
  ),
};
export const approvePost = {
  params: idParams,
  reply: Type.Object(
    {
      act_id: id,
      post_id: Type.Union([id, Type.Null()], { description: 'Её номер на стене; null: отвечать уже не на что.' }),
    },
    { ...strict, title: 'Approval' },
  ),
};
export const blockWaiting = {
  body: Type.Object({ since: seconds, until: seconds, reason }, strict),
  reply: Type.Object(
    { people: count, posts: count, left: Type.Boolean({ description: 'Не все: повторите вызов.' }) },
    { ...strict, title: 'WaitingBlocks' },
  ),
};
const actOnPost = { params: idParams, body: because, reply: settlingAct };
export const removePost = actOnPost;
export const returnPost = actOnPost;
export const dismissReports = actOnPost;
export const lockDiscussion = actOnPost;
export const unlockDiscussion = actOnPost;
export const paceDiscussion = {
  params: idParams,
  body: Type.Object(
    {
      seconds: Type.Enum([0, ...paceSeconds] as const, {
        description: 'Секунд между ответами одного человека; 0: сколько угодно.',
      }),
      reason: Type.Optional(reason),
    },
    strict,
  ),
  reply: act,
};

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
  reply: Type.Object({ people: Type.Array(moderatedPerson), next }, { ...strict, title: 'ModeratedPeople' }),
};
export const getPerson = { params: byNameParams, reply: moderatedPerson };
export const blockPerson = {
  params: byNameParams,
  body: Type.Object(
    {
      reason,
      remove_posts: Type.Boolean(),
      days: Type.Optional(Type.Enum(blockDays, { description: 'На сколько дней; без него блокировку снимают.' })),
    },
    strict,
  ),
  reply: personAct,
};
export const unblockPerson = {
  params: byNameParams,
  body: Type.Object({ reason, restore_posts: Type.Boolean() }, strict),
  reply: personAct,
};

const branchPerson = Type.Object(
  {
    id,
    username: Type.Union([Type.String(), Type.Null()], { description: 'null: учётной записи больше нет.' }),
    display_name: displayName,
    role: Type.Union([role, Type.Null()]),
    is_blocked: Type.Boolean(),
    level: Type.Integer({ minimum: 1, description: '1: человек пришёл по приглашению того, о ком спросили.' }),
    by: Type.Union([Type.String(), Type.Null()], { description: 'Кто пригласил; null: учётной записи больше нет.' }),
  },
  { ...strict, title: 'BranchPerson' },
);

export const branch = Type.Object(
  {
    inviter: Type.Union(
      [
        Type.Object({ username: Type.Union([Type.String(), Type.Null()]), display_name: displayName }, strict),
        Type.Null(),
      ],
      { description: 'По чьему приглашению человек пришёл; null: ничьему. Имя null: учётной записи больше нет.' },
    ),
    may_invite: Type.Enum(['yes', 'no', 'branch'] as const, {
      description: 'no: модератор лишил права приглашать; branch: его лишена ветка, в которой человек.',
    }),
    people: Type.Array(branchPerson, { description: 'Кто пришёл по приглашениям человека и дальше; не больше 100.' }),
    more: Type.Boolean({ description: 'Их больше.' }),
  },
  { ...strict, title: 'Branch' },
);
export const getBranch = { params: byNameParams, reply: branch };
export const endInviting = { params: byNameParams, body: because, reply: act };
export const allowInviting = { params: byNameParams, body: because, reply: act };
export const blockBranch = {
  params: byNameParams,
  body: Type.Object({ reason, remove_posts: Type.Boolean() }, strict),
  reply: Type.Object(
    {
      blocked: Type.Integer({
        minimum: 0,
        description: 'Не больше 100 за раз; каждая блокировка — своя строка журнала.',
      }),
      remaining: Type.Integer({ minimum: 0, description: 'Сколько в ветке осталось; не больше 1000.' }),
    },
    { ...strict, title: 'BlockedBranch' },
  ),
};
export const warnPerson = { params: byNameParams, body: because, reply: act };

export const startModeration = { body: Type.Object({ clientToken }, strict), reply: operation };
export const verifyModeration = {
  params: idParams,
  body: Type.Object({ confirmCode, clientToken }, strict),
  reply: Type.Object({ confirmed_until: seconds }, strict),
};
export const getModeration = {
  reply: Type.Object({ confirmed_until: Type.Union([seconds, Type.Null()]) }, strict),
};

export const listInvites = {
  query: Type.Object({ cursor, limit }),
  reply: Type.Object(
    {
      registration,
      invites: Type.Array(invite),
      next,
    },
    { ...strict, title: 'Invites' },
  ),
};
export const makeInvites = {
  headers: idempotent,
  body: Type.Object(
    {
      count: Type.Integer({ minimum: 1, maximum: 50 }),
      seats: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 1, description: 'На скольких каждое.' })),
      reason,
    },
    strict,
  ),
  reply: Type.Object({ codes: Type.Array(Type.String()) }, { ...strict, title: 'InviteCodes' }),
};

export const endInvite = { params: idParams, body: because, reply: act };

export const listJournal = {
  query: Type.Object({ cursor, limit }),
  reply: Type.Object({ acts: Type.Array(journalEntry), next }, { ...strict, title: 'Journal' }),
};
export const undoAct = { params: idParams, body: because, reply: act };

const until = Type.Union([seconds, Type.Null()], { description: 'До какого времени; null: пока не снимут.' });
export const getPin = {
  reply: Type.Object(
    { pinned: Type.Union([Type.Object({ post: fullPost, until }, strict), Type.Null()]) },
    { ...strict, title: 'Pin' },
  ),
};
/** The pinned post concerns nobody who would read why. */
const reasonIfAny = Type.Optional(reason);
export const pinPost = { body: Type.Object({ post_id: id, until, reason: reasonIfAny }, strict), reply: act };
export const unpinPost = { body: Type.Object({ reason: reasonIfAny }, strict), reply: act };
export const appointPerson = {
  params: byNameParams,
  body: Type.Object({ reason, owner: Type.Boolean({ description: 'Владельцем, а не модератором.' }) }, strict),
  reply: act,
};
export const dismissPerson = { params: byNameParams, body: because, reply: act };
