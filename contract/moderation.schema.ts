import { Type } from 'typebox';
import {
  confirmation,
  count,
  counted,
  id,
  idempotent,
  idParams,
  named,
  nullable,
  object,
  paging,
  seconds,
  startWithCode,
} from './common.schema.ts';
import { paceSeconds } from './pace.ts';
import { registration } from './keep.schema.ts';
import { fullPost, owner, pendingPost } from './posts.schema.ts';

const idOrNull = nullable(id);
export const next = nullable(Type.String(), 'Продолжение: передаётся как cursor.');
const { limit, cursor } = paging;

/** Up to 500 characters, as in a post. It is in the journal; the person concerned reads it. */
export const reason = Type.String({ minLength: 1 });
export const because = named('Because', { reason });

/** `null`: it was done already, and the journal has no new entry. */
export const actId = nullable(id, 'Номер действия в журнале; null: так уже было, в журнале ничего нового.');
export const act = named('Act', { act_id: actId });
const settlingAct = named('SettlingAct', { act_id: actId, settled_reports: count });
const report = named('Report', {
  by: nullable(Type.String(), 'Чья жалоба; null: на запись самого модератора.'),
  at: seconds,
  reason_id: id,
  comment: nullable(Type.String(), 'Что написал пожаловавшийся.'),
  text: Type.String(),
  open: Type.Boolean(),
});

export const reportedPost = named('ReportedPost', {
  post_id: id,
  text: Type.String({ description: 'Каким был при последней жалобе.' }),
  author: object({ ...owner.properties, is_blocked: Type.Boolean() }),
  state: Type.Union(
    [Type.Literal('visible'), Type.Literal('changed'), Type.Literal('removed'), Type.Literal('deleted')],
    { description: 'changed: на стене, но текст с тех пор другой.' },
  ),
  current_text: nullable(Type.String(), 'null: на стене записи нет.'),
  open: count,
  reports: Type.Array(report, { description: 'Новые сначала, не больше 50.' }),
  replied_post: nullable(object({ id, text: Type.String(), owner }), 'На что это ответ, если оно на стене.'),
  parent_post_id: idOrNull,
});

export const invite = named('Invite', {
  id,
  note: Type.String(),
  created_at: seconds,
  used_at: nullable(seconds),
  used_by: nullable(Type.String(), 'Кто пришёл последним.'),
  seats: counted('На скольких оно; у отозванного: сколько пришло.'),
  used: count,
  may_end: Type.Boolean({ description: 'Действует, и вы можете его отозвать.' }),
});

export const journalEntry = named('JournalEntry', {
  id,
  at: seconds,
  by: Type.String({ description: 'Кто: имя на тот момент.' }),
  by_id: nullable(id, 'null: оператор, из командной строки.'),
  action: Type.String({ description: 'Как называется команда: remove, restore, dismiss, block, …' }),
  target: nullable(Type.String(), 'Номер записи или имя на тот момент.'),
  target_id: nullable(id, 'Номер записи или человека.'),
  reason: Type.String(),
  details: nullable(Type.Object({}, { additionalProperties: true })),
  undo: Type.Boolean({ description: 'Действует, и его можно отменить.' }),
  post: nullable(
    object({ text: Type.String(), is_removed: Type.Boolean() }),
    'Запись, о которой решали, какая она теперь. null: решали не о записи, или автор её удалил.',
  ),
});

export const listReported = {
  query: Type.Object({
    state: Type.Optional(
      Type.Union([Type.Literal('open'), Type.Literal('settled'), Type.Literal('all')], { default: 'open' }),
    ),
    cursor,
    limit,
  }),
  reply: named('ReportedPosts', {
    reports: Type.Array(reportedPost),
    next,
    open: Type.Integer({ minimum: 0, maximum: 1_000, description: 'Сколько записей с открытыми жалобами.' }),
    settled: Type.Integer({ minimum: 0, maximum: 1_000, description: 'Сколько записей, чьи жалобы рассмотрены.' }),
  }),
};
const onBadge = Type.Integer({ minimum: 0, maximum: 100, description: 'Не больше 100.' });
export const countReports = { reply: object({ open: onBadge, pending: onBadge }) };

export const moderatedPending = named('ModeratedPending', {
  ...pendingPost.properties,
  owner,
  replied_post: nullable(object({ id, text: Type.String(), owner }), 'На что это ответ, если оно на стене.'),
});
export const listPending = {
  query: Type.Object({ cursor, limit }),
  reply: named('ModeratedPendingPosts', {
    posts: Type.Array(moderatedPending),
    next,
    last_hour: object(
      { since: seconds, until: seconds, posts: count, people: count },
      { description: 'Что написано за последний час: для blockWaiting.' },
    ),
  }),
};
export const approvePost = {
  params: idParams,
  reply: named('Approval', {
    act_id: id,
    post_id: nullable(id, 'Её номер на стене; null: отвечать уже не на что.'),
  }),
};
export const blockWaiting = {
  body: object({ since: seconds, until: seconds, reason }),
  reply: named('WaitingBlocks', {
    people: count,
    posts: count,
    left: Type.Boolean({ description: 'Не все: повторите вызов.' }),
  }),
};
const actOnPost = { params: idParams, body: because, reply: settlingAct };
export const removePost = actOnPost;
export const returnPost = actOnPost;
export const dismissReports = actOnPost;
export const lockDiscussion = actOnPost;
export const unlockDiscussion = actOnPost;
export const paceDiscussion = {
  params: idParams,
  body: object({
    seconds: Type.Enum([0, ...paceSeconds] as const, {
      description: 'Секунд между ответами одного человека; 0: сколько угодно.',
    }),
    reason: Type.Optional(reason),
  }),
  reply: act,
};

export const startModeration = startWithCode;
export const verifyModeration = {
  ...confirmation,
  reply: object({ confirmed_until: seconds }),
};
export const getModeration = {
  reply: object({ confirmed_until: nullable(seconds) }),
};

export const listInvites = {
  query: Type.Object({ cursor, limit }),
  reply: named('Invites', {
    registration,
    invites: Type.Array(invite),
    next,
  }),
};
export const makeInvites = {
  headers: idempotent,
  body: object({
    count: Type.Integer({ minimum: 1, maximum: 50 }),
    seats: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 1, description: 'На скольких каждое.' })),
    reason,
  }),
  reply: named('InviteCodes', { codes: Type.Array(Type.String()) }),
};

export const endInvite = { params: idParams, body: because, reply: act };

export const listJournal = {
  query: Type.Object({ cursor, limit }),
  reply: named('Journal', { acts: Type.Array(journalEntry), next }),
};
export const undoAct = { params: idParams, body: because, reply: act };

const until = nullable(seconds, 'До какого времени; null: пока не снимут.');
export const getPin = {
  reply: named('Pin', { pinned: nullable(object({ post: fullPost, until })) }),
};
/** The pinned post concerns nobody who would read why. */
const reasonIfAny = Type.Optional(reason);
export const pinPost = { body: object({ post_id: id, until, reason: reasonIfAny }), reply: act };
export const unpinPost = { body: object({ reason: reasonIfAny }), reply: act };
