import { type Static, Type } from 'typebox';
import { type Call, call, verifyCodes } from './call.ts';
import * as values from './example-values.ts';
import { type Called, keeperActs, type PathOf, type SettingAct, settingActs, type WhoMay } from './keeper-acts.ts';
import { registration } from './wall-admin.ts';
import { paceSeconds } from './reply-rules.ts';
import { fullPost, owner, pendingPost } from './post-schemas.ts';
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
} from './schemas.ts';

const idOrNull = nullable(id);
export const next = nullable(Type.String(), 'Продолжение: передаётся как cursor.');
const { limit, cursor } = paging;

/** The server accepts up to 500 characters. The journal contains the reason. The person concerned reads that of a removal, block or warning. */
export const reason = Type.String({ minLength: 1 });
export const because = named('Because', { reason });

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

const reportedPost = named('ReportedPost', {
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

const invite = named('Invite', {
  id,
  note: Type.String(),
  created_at: seconds,
  used_at: nullable(seconds),
  used_by: nullable(Type.String(), 'Кто пришёл последним.'),
  seats: counted('На скольких оно; у отозванного: сколько пришло.'),
  used: count,
  may_end: Type.Boolean({ description: 'Действует, и вы можете его отозвать.' }),
  url: nullable(
    Type.String(),
    'Ссылка, если вы можете её отозвать. null и тогда, если она из командной строки или сделана до версии 1.1.',
  ),
});

const journalEntry = named('JournalEntry', {
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
const onBadge = Type.Integer({ minimum: 0, maximum: 100, description: 'Не больше 100.' });

const moderatedPending = named('ModeratedPending', {
  ...pendingPost.properties,
  owner,
  replied_post: nullable(object({ id, text: Type.String(), owner }), 'На что это ответ, если оно на стене.'),
});
/** Declares the call of a keeper's act. The act's row in `keeperActs` has its path, words and access, and whether it needs a code. */
export const actBy = <Name extends Called, Of>(name: Name, define: (row: WordsOf<Name>) => Of) => {
  const { call: words, who, budget, needsCode } = keeperActs[name];
  const { path, ...saying } = words!;
  const row = {
    ...saying,
    access: who as WhoMay<Name>,
    ...(budget && { spends: budget }),
    ...(needsCode && { codes: ['CONFIRMATION_REQUIRED'] as const }),
  };
  return { [path]: define(row) } as Record<PathOf<Name>, Of>;
};

type WordsOf<Name extends Called> = Pick<Call<WhoMay<Name>>, 'name' | 'says' | 'access' | 'spends' | 'codes'>;

const until = nullable(seconds, 'До какого времени; null: пока не снимут.');
/** Pinning needs no reason, because it concerns nobody who would read it. */
const reasonIfAny = Type.Optional(reason);

export type ReportedPost = Static<typeof reportedPost>;
export type JournalEntry = Static<typeof journalEntry>;
export type ModeratedPending = Static<typeof moderatedPending>;
export type Invite = Static<typeof invite>;

const reported = { id: values.otherPostId };
const settled = { ...values.act, settled_reports: 2 };
const actOnPost = <Name extends Called>(name: Name, reply = { ...values.act, settled_reports: 0 }) =>
  actBy(name, (row) =>
    call({
      ...row,
      params: idParams,
      body: because,
      reply: settlingAct,
      example: { params: reported, body: values.because, reply },
    }),
  );

export const moderationCalls = {
  'GET /moderation/reports': call({
    name: 'listReported',
    says: 'Записи с жалобами: дольше всех ждущие сначала; со state=all новые жалобы сначала',
    access: 'moderator',
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
    example: {
      query: { state: 'open' },
      reply: {
        reports: [
          {
            post_id: values.otherPostId,
            text: values.rootPost.text,
            author: { ...values.boris, is_blocked: false },
            state: 'visible',
            current_text: values.rootPost.text,
            open: 1,
            reports: [
              {
                by: values.galina.username,
                at: values.at + 60,
                reason_id: 'spam',
                comment: null,
                text: values.rootPost.text,
                open: true,
              },
            ],
            replied_post: null,
            parent_post_id: null,
          },
        ],
        next: null,
        open: 1,
        settled: 4,
      },
    },
  }),
  'GET /moderation/reports/count': call({
    name: 'countReports',
    says: 'Сколько записей с жалобами ждут решения и сколько записей новичков ждут проверки',
    access: 'moderator',
    reply: object({ open: onBadge, pending: onBadge }),
    example: { reply: { open: 3, pending: 1 } },
  }),
  /** Pending posts of newcomers. The call `removePost` also removes a pending post. */
  'GET /moderation/waiting': call({
    name: 'listPending',
    says: 'Записи новичков, которые ждут проверки; дольше всех ждущие сначала',
    access: 'moderator',
    query: Type.Object({ cursor, limit }),
    reply: named('ModeratedPendingPosts', {
      posts: Type.Array(moderatedPending),
      next,
      last_hour: object(
        { since: seconds, until: seconds, posts: count, people: count },
        { description: 'Что написано за последний час: для blockWaiting.' },
      ),
    }),
    example: {
      query: {},
      reply: {
        posts: [
          {
            id: '1031',
            text: 'Всем привет!',
            created_at: values.at,
            replied_post_id: null,
            expires_at: values.at + 24 * 3_600,
            owner: values.boris,
            replied_post: null,
          },
        ],
        next: null,
        last_hour: { since: values.at - 3_000, until: values.at + 600, posts: 1, people: 1 },
      },
    },
  }),
  ...actBy('approve', (row) =>
    call({
      ...row,
      params: idParams,
      reply: named('Approval', {
        act_id: id,
        post_id: nullable(id, 'Её номер на стене; null: отвечать уже не на что.'),
      }),
      example: { params: { id: '1031' }, reply: { act_id: '71', post_id: '1044' } },
    }),
  ),
  /** Stops a raid, in which many new accounts write at once. Each block is an act with its own entry in the journal. */
  'POST /moderation/waiting/blocks': call({
    name: 'blockWaiting',
    says: 'Заблокировать всех, чьи записи из этого времени ждут проверки, и убрать их записи; нужен свежий код',
    access: 'moderator',
    codes: ['CONFIRMATION_REQUIRED'],
    body: object({ since: seconds, until: seconds, reason }),
    reply: named('WaitingBlocks', {
      people: count,
      posts: count,
      left: Type.Boolean({ description: 'Не все: повторите вызов.' }),
    }),
    example: {
      body: { since: values.at - 3_000, until: values.at + 600, ...values.because },
      reply: { people: 1, posts: 1, left: false },
    },
  }),
  ...actOnPost('remove', settled),
  ...actOnPost('restore'),
  /** These acts and `pace` concern the whole discussion of the post. */
  ...(Object.assign({}, ...settingActs.map((name) => actOnPost(name))) as ReturnType<typeof actOnPost<SettingAct>>),
  ...actBy('pace', (row) =>
    call({
      ...row,
      params: idParams,
      body: object({
        seconds: Type.Enum([0, ...paceSeconds] as const, {
          description: 'Секунд между ответами одного человека; 0: сколько угодно.',
        }),
        reason: Type.Optional(reason),
      }),
      reply: act,
      example: { params: reported, body: { seconds: 300 }, reply: values.act },
    }),
  ),
  ...actOnPost('dismiss', settled),
  'POST /moderation/confirmation': call({
    name: 'startModeration',
    says: 'Подтвердить себя: код уходит на адрес учётной записи',
    access: 'moderator',
    status: 201,
    ...startWithCode,
    example: { body: { clientToken: values.clientToken }, reply: values.ownOperation },
  }),
  'POST /moderation/confirmation/{id}/verify': call({
    name: 'verifyModeration',
    says: 'Подтвердить себя кодом: на 15 минут в этом сеансе',
    access: 'moderator',
    codes: verifyCodes,
    ...confirmation,
    reply: object({ confirmed_until: seconds }),
    example: {
      params: { id: values.operationId },
      body: { confirmCode: values.confirmCode, clientToken: values.clientToken },
      reply: { confirmed_until: values.at + 900 },
    },
  }),
  'GET /moderation/invites': call({
    name: 'listInvites',
    says: 'Приглашения, последние сначала',
    access: 'moderator',
    query: Type.Object({ cursor, limit }),
    reply: named('Invites', {
      registration,
      invites: Type.Array(invite),
      next,
    }),
    example: {
      query: { limit: '1' },
      reply: {
        registration: 'invite',
        invites: [
          {
            id: '5',
            note: 'Для соседей',
            created_at: values.at,
            used_at: null,
            used_by: null,
            seats: 10,
            used: 3,
            may_end: true,
            url: 'https://stena.example.org/join/K7QFA-2MZX9',
          },
        ],
        next: null,
      },
    },
  }),
  'POST /moderation/invites': call({
    name: 'makeInvites',
    says: 'Выдать приглашения; коды показываются один раз',
    access: 'moderator',
    status: 201,
    headers: idempotent,
    body: object({
      count: Type.Integer({ minimum: 1, maximum: 50 }),
      seats: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 1, description: 'На скольких каждое.' })),
      reason,
    }),
    reply: named('InviteCodes', { codes: Type.Array(Type.String()) }),
    example: { body: { count: 1, reason: 'Для соседей' }, reply: { codes: ['K7QFA-2MZX9'] } },
  }),
  'GET /moderation/journal': call({
    name: 'listJournal',
    says: 'Что делали модераторы и операторы, последнее сначала',
    access: 'moderator',
    query: Type.Object({ cursor, limit }),
    reply: named('Journal', { acts: Type.Array(journalEntry), next }),
    example: {
      query: { limit: '1' },
      reply: {
        acts: [
          {
            id: values.act.act_id,
            at: values.at,
            by: values.galina.username,
            by_id: values.galina.id,
            action: 'remove',
            target: values.otherPostId,
            target_id: values.otherPostId,
            reason: values.because.reason,
            details: null,
            undo: true,
            post: { text: 'Продам гараж, звоните!', is_removed: true },
          },
        ],
        next: null,
      },
    },
  }),
  'POST /moderation/journal/{id}/undo': call({
    name: 'undoAct',
    says: 'Отменить решение; для блокировок нужен свежий код',
    access: 'moderator',
    spends: 'undos',
    codes: ['CONFIRMATION_REQUIRED'],
    params: idParams,
    body: because,
    reply: act,
    example: { params: { id: values.act.act_id }, body: values.because, reply: { act_id: '72' } },
  }),
  'GET /moderation/pin': call({
    name: 'getPin',
    says: 'Закреплённая запись',
    access: 'moderator',
    reply: named('Pin', { pinned: nullable(object({ post: fullPost, until })) }),
    example: { reply: { pinned: { post: values.rootPost, until: null } } },
  }),
  ...actBy('pin', (row) =>
    call({
      ...row,
      body: object({ post_id: id, until, reason: reasonIfAny }),
      reply: act,
      example: { body: { post_id: values.otherPostId, until: null }, reply: values.act },
    }),
  ),
  ...actBy('unpin', (row) =>
    call({
      ...row,
      body: object({ reason: reasonIfAny }),
      reply: act,
      example: { body: {}, reply: values.act },
    }),
  ),
  /** Revokes the free seats of an invitation. For owners and for the moderator who has made it. */
  'DELETE /moderation/invites/{id}': call({
    name: 'endInvite',
    says: 'Отозвать приглашение: по нему больше никто не придёт',
    access: 'moderator',
    params: idParams,
    body: because,
    reply: act,
    example: { params: { id: '5' }, body: { reason: 'Больше не нужно' }, reply: values.act },
  }),
};
