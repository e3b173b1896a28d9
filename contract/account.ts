import { type Static, Type } from 'typebox';
import { tokenScope } from './api-tokens.ts';
import { call, verifyCodes } from './call.ts';
import * as values from './example-values.ts';
import { limits } from './limits.ts';
import { notificationSettings } from './notifications.ts';
import { displayName, face, names, owner, pendingPost, removedPost, written, writtenPost } from './post-schemas.ts';
import {
  clientToken,
  confirmation,
  count,
  counted,
  email,
  id,
  idParams,
  limitWith,
  named,
  nullable,
  object,
  operation,
  paging,
  seconds,
  startWithCode,
  withoutNul,
} from './schemas.ts';

/** `feed`, or `thread:` with the id of a root post. */
const list = Type.String({
  pattern: '^(feed|thread:[1-9][0-9]{0,15})$',
  description: '`feed` — лента, `thread:ID` — обсуждение корневой записи ID.',
});

/** The newest post that a person has read in a list. The position never moves back. */
export const readingPosition = named('ReadingPosition', { list, post_id: id });

const position = nullable(id);

export type ReadingPosition = Static<typeof readingPosition>;

export const readingCalls = {
  'GET /users/current/reading': call({
    name: 'getReading',
    says: 'До какой записи прочитаны лента и названное обсуждение',
    access: 'user',
    scope: 'read',
    query: Type.Object({
      thread: Type.Optional(Type.String({ minLength: 1, description: 'Корневая запись, чьё обсуждение интересует.' })),
    }),
    reply: named('Reading', { feed: position, thread: position }),
    example: { query: { thread: values.otherPostId }, reply: { feed: values.ownPostId, thread: null } },
  }),
  /** The reply has the furthest position, which may come from an earlier call or another device. */
  'PUT /users/current/reading': call({
    name: 'putReading',
    says: 'Запомнить, до какой записи прочитано; назад отметка не движется',
    access: 'user',
    spends: 'readings',
    scope: 'write',
    body: object({ list, post_id: id }),
    reply: object({ post_id: id }),
    example: { body: { list: 'feed', post_id: values.otherPostId }, reply: { post_id: values.otherPostId } },
  }),
};

export const muteCalls = {
  'GET /users/current/mutes': call({
    name: 'listMutes',
    says: 'Скрытые авторы, последние сначала',
    access: 'user',
    scope: 'read',
    reply: object({ users: Type.Array(owner) }),
    example: { reply: { users: [values.boris] } },
  }),
  'PUT /users/current/mutes/{id}': call({
    name: 'mute',
    says: 'Не показывать автора',
    access: 'user',
    spends: 'mutes',
    scope: 'write',
    codes: ['FORBIDDEN', 'NOT_FOUND'],
    params: idParams,
    example: { params: { id: values.boris.id } },
  }),
  'DELETE /users/current/mutes/{id}': call({
    name: 'unmute',
    says: 'Показывать автора',
    access: 'user',
    spends: 'mutes',
    scope: 'write',
    codes: ['NOT_FOUND'],
    params: idParams,
    example: { params: { id: values.boris.id } },
  }),
};

export const suggestionCalls = {
  'GET /users/suggestions': call({
    name: 'listSuggestions',
    says: 'Кого упомянуть: сначала люди обсуждения',
    access: 'user',
    spends: 'suggestions',
    scope: 'read',
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
    example: { query: { q: 'bor', post_id: values.otherPostId }, reply: { users: [values.boris] } },
  }),
};

const about = nullable(Type.String(), 'Что человек написал о себе, до 160 знаков в одну строку.');

/** Number of people in a response of the list that names no limit. */
export const peoplePerPage = 30;

const listedPerson = named('ListedPerson', {
  ...owner.properties,
  about,
  newcomer_until: Type.Optional(counted('Есть только у тех, кто зарегистрировался меньше семи дней назад.')),
  first_post_id: Type.Optional(
    Type.String({ description: 'Первая запись новичка: с ответа на неё можно начать знакомство.' }),
  ),
  wrote: nullable(
    Type.Enum(['today', 'week', 'earlier'] as const),
    'Когда человек писал в последний раз: за последние 24 часа, за семь дней, раньше. null: ещё не писал.',
  ),
});

export type ListedPerson = Static<typeof listedPerson>;

const line = 'Пеку хлеб, чиню велосипеды.';

export const listedPeopleCalls = {
  'GET /users': call({
    name: 'listUsers',
    says: 'Люди стены: кто писал последним, тот первый',
    access: 'user',
    scope: 'read',
    query: Type.Object({
      q: Type.Optional(
        Type.String({
          maxLength: Math.max(limits.usernameMax, limits.displayNameLength),
          pattern: withoutNul,
          description:
            'Начало имени пользователя или имени, регистр и ё не важны. Если подходят больше тысячи человек, людей в ответе бывает меньше, чем limit, хотя next есть.',
        }),
      ),
      limit: limitWith(peoplePerPage),
      cursor: paging.cursor,
    }),
    reply: named('PeoplePage', { people: Type.Array(listedPerson), next: nullable(Type.String()) }),
    example: {
      query: { q: 'gal' },
      reply: { people: [{ ...values.galina, about: line, wrote: 'today' }], next: null },
    },
  }),
};

const usernameParams = Type.Object({ username: Type.String() });

export const role = Type.Union([Type.Literal('moderator'), Type.Literal('owner')], {
  description: 'Есть только у модераторов и владельцев стены.',
});

const currentUser = named('CurrentUser', {
  id,
  ...names,
  about,
  email: Type.String(),
  role: Type.Optional(role),
  warning: Type.Optional(Type.String({ description: 'Непрочитанное предупреждение модератора, если оно есть.' })),
  name_question: Type.Optional(
    Type.Literal('due', {
      description: 'Есть только у людей без имени, которые не отложили вопрос «Как вас называть?» на неделю.',
    }),
  ),
});

const publicUser = named('User', {
  id,
  ...names,
  about,
  created_at: seconds,
  posts_count: count,
  has_never_come: Type.Optional(
    Type.Literal(true, { description: 'Есть только у людей, перенесённых со своими записями, пока они не зашли.' }),
  ),
  is_followed: Type.Optional(Type.Boolean({ description: 'Только для вошедших: следите ли вы за этим автором.' })),
});

const storedData = named('KeptData', {
  section: Type.String(),
  title: Type.String(),
  about: Type.String({ description: 'Что именно хранится.' }),
  kept_until: Type.String({ description: 'Как долго.' }),
  count: nullable(count, 'Сколько строк; null, если строки не называют человека или это тайна других людей.'),
  first_at: nullable(seconds),
  last_at: nullable(seconds),
});

const exportedData = object({
  ...storedData.properties,
  rows: Type.Optional(
    Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'Если для них в файле нет своего раздела.' }),
  ),
});

export type CurrentUser = Static<typeof currentUser>;
export type PublicUser = Static<typeof publicUser>;
export type StoredData = Static<typeof storedData>;
export type ExportedData = Static<typeof exportedData>;

const ownUser = { ...values.galina, about: line, email: values.email };
const storedRow = {
  section: 'Что вы читаете',
  title: 'Скрытые авторы',
  about: 'они об этом не знают',
  kept_until: 'до удаления учётной записи',
  count: 1,
  first_at: values.at,
  last_at: values.at,
};
const ownPost = { id: values.ownPost.id, text: values.ownPost.text, created_at: values.at, is_modified: false };

export const accountCalls = {
  /** Marks the warning of a moderator as read. A repeated call changes nothing. */
  'DELETE /users/current/warning': call({
    name: 'readWarning',
    says: 'Прочитано предупреждение модератора (warning вошедшего пользователя)',
    access: 'user',
    spends: 'settings',

    example: {},
  }),
  'GET /users/current': call({
    name: 'getCurrentUser',
    says: 'Вошедший пользователь',
    access: 'user',
    scope: 'read',
    reply: currentUser,
    example: { reply: ownUser },
  }),
  'GET /users/{username}': call({
    name: 'getUser',
    says: 'Автор',
    access: 'public',
    scope: 'read',
    codes: ['NOT_FOUND'],
    params: usernameParams,
    reply: publicUser,
    example: {
      params: { username: values.galina.username },
      reply: { ...values.galina, about: line, created_at: values.at, posts_count: 12 },
    },
  }),
  'GET /users/current/email': call({
    name: 'getEmailChange',
    says: 'Можно ли сейчас сменить почту',
    access: 'user',
    reply: object({ refused: nullable(Type.String(), 'Почему нельзя и когда будет можно.') }),
    example: { reply: { refused: null } },
  }),
  'PUT /users/current/email': call({
    name: 'startEmailChange',
    says: 'Начать смену почты: код уходит на новый адрес',
    access: 'user',
    status: 201,
    codes: ['EMAIL_ALREADY_EXISTS', 'FORBIDDEN'],
    body: object({ email, clientToken }),
    reply: operation,
    example: { body: { email: values.newEmail, clientToken: values.clientToken }, reply: values.operation },
  }),
  'PUT /users/current/email/{id}/verify': call({
    name: 'verifyEmailChange',
    says: 'Сменить почту с кодом',
    access: 'user',
    codes: ['EMAIL_ALREADY_EXISTS', ...verifyCodes, 'FORBIDDEN'],
    ...confirmation,
    reply: object({ email: Type.String() }),
    example: { params: values.operation, body: values.confirm, reply: { email: values.newEmail } },
  }),
  'GET /users/{username}/validation': call({
    name: 'checkUsername',
    says: 'Свободно ли имя пользователя',
    access: 'user',
    spends: 'nameChecks',
    codes: ['INVALID_USERNAME', 'USERNAME_ALREADY_EXISTS'],
    params: usernameParams,
    reply: object({ available: Type.Literal(true) }),
    example: { params: { username: values.newUsername }, reply: { available: true } },
  }),
  'GET /users/current/name': call({
    name: 'checkName',
    says: 'Что будет, если назваться так: есть ли уже человек с этим именем и как вас станут упоминать',
    access: 'user',
    spends: 'nameChecks',
    query: Type.Object({ display_name: Type.Optional(Type.String({ maxLength: 200 })) }),
    reply: named('NameCheck', {
      is_taken: Type.Boolean({ description: 'Человек с таким именем уже есть; назваться так всё же можно.' }),
      suggestion: nullable(Type.String(), 'Похожее имя, которого ещё нет; null, если это свободно.'),
      username: nullable(
        Type.String(),
        'Имя пользователя, которое даст это имя; null, если прежнее останется: его выбрали, или в имени нет букв.',
      ),
    }),
    example: {
      query: { display_name: 'Катя' },
      reply: { is_taken: true, suggestion: 'Катя 2', username: 'katya_2' },
    },
  }),
  'PATCH /users/current/profile': call({
    name: 'changeProfile',
    says: 'Изменить имя пользователя, имя, значок (один эмодзи) и строку о себе: что передано',
    access: 'user',
    spends: 'renames',
    codes: ['INVALID_USERNAME', 'USERNAME_ALREADY_EXISTS'],
    body: object(
      {
        username: Type.Optional(Type.String()),
        display_name: Type.Optional(displayName),
        face: Type.Optional(face),
        about: Type.Optional(about),
        name_later: Type.Optional(
          Type.Literal(true, { description: 'Отложить вопрос «Как вас называть?» на неделю.' }),
        ),
      },
      { minProperties: 1 },
    ),
    reply: currentUser,
    example: { body: { username: values.newUsername }, reply: { ...ownUser, username: values.newUsername } },
  }),
  'GET /users/current/data': call({
    name: 'getKeptData',
    says: 'Что стена хранит о вас: сколько, с какого времени и как долго',
    access: 'user',
    reply: object({ kept: Type.Array(storedData) }),
    example: { reply: { kept: [storedRow] } },
  }),
  'GET /users/current/export': call({
    name: 'exportAccount',
    says: 'Всё своё одним файлом',
    access: 'user',
    spends: 'exports',
    reply: named('Export', {
      account: object({ ...currentUser.properties, created_at: seconds }),
      posts: Type.Array(writtenPost),
      replies: Type.Array(object({ ...written, replied_post_id: id })),
      likes: Type.Array(object({ post_id: id, created_at: seconds })),
      bookmarks: Type.Array(object({ post_id: id, created_at: seconds })),
      removed: Type.Array(removedPost),
      pending: Type.Array(pendingPost),
      reading: Type.Array(object({ ...readingPosition.properties, updated_at: seconds })),
      notifications: notificationSettings,
      follows: Type.Array(
        object({ post_id: id, following: Type.Boolean({ description: 'false: отказ следить за обсуждением.' }) }),
      ),
      tokens: Type.Array(
        object({
          name: Type.String(),
          scope: tokenScope,
          created_at: seconds,
          last_used_at: nullable(seconds),
        }),
      ),
      invitations: Type.Array(
        named('ExportedInvitation', {
          created_at: seconds,
          is_open: Type.Boolean({ description: 'По ней ещё никто не пришёл, и она не отозвана.' }),
          used_at: nullable(seconds),
          used_by: nullable(Type.String(), 'Кто пришёл, если он ещё на стене.'),
        }),
        { description: 'Ссылки, которыми вы приглашали.' },
      ),
      consents: Type.Array(object({ document_hash: Type.String(), at: seconds })),
      kept: Type.Array(exportedData, {
        description: 'Всё, что стена хранит о вас: то же, что на странице «Мои данные».',
      }),
    }),
    example: {
      reply: {
        account: { ...ownUser, created_at: values.at },
        posts: [ownPost],
        replies: [],
        likes: [{ post_id: values.otherPostId, created_at: values.at + 30 }],
        bookmarks: [{ post_id: values.otherPostId, created_at: values.at + 40 }],
        removed: [],
        pending: [],
        reading: [{ list: 'feed', post_id: values.otherPostId, updated_at: values.at + 45 }],
        notifications: {
          follow_replied: true,
          digest: 'off',
          best_weekly: false,
          replies_at_once: false,
          wall_daily: false,
        },
        follows: [{ post_id: values.ownPost.id, following: true }],
        tokens: [
          { name: values.apiToken.name, scope: values.apiToken.scope, created_at: values.at, last_used_at: null },
        ],
        invitations: [
          { created_at: values.at, is_open: false, used_at: values.at + 60, used_by: values.boris.username },
        ],
        consents: [],
        kept: [{ ...storedRow, rows: [{ muted_id: 7, created_at: values.at }] }],
      },
    },
  }),
  'POST /users/current/deletion': call({
    name: 'startDeletion',
    says: 'Начать удаление учётной записи: код уходит на почту',
    access: 'user',
    status: 201,
    codes: ['FORBIDDEN'],
    ...startWithCode,
    example: { body: { clientToken: values.clientToken }, reply: values.ownOperation },
  }),
  'POST /users/current/deletion/{id}/verify': call({
    name: 'verifyDeletion',
    says: 'Удалить учётную запись с кодом',
    access: 'user',
    codes: verifyCodes,
    ...confirmation,
    example: { params: values.operation, body: values.confirm },
  }),
};
