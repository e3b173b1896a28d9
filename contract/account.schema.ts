import { Type } from 'typebox';
import {
  clientToken,
  confirmation,
  count,
  email,
  id,
  named,
  nullable,
  object,
  operation,
  seconds,
  startWithCode,
} from './common.schema.ts';
import { notificationSettings } from './notifications.schema.ts';
import { tokenScope } from './api-tokens.schema.ts';
import { readingPosition } from './reading.schema.ts';
import { displayName, pendingPost, removedPost, written, writtenPost } from './posts.schema.ts';

const usernameParams = Type.Object({ username: Type.String() });

export const role = Type.Union([Type.Literal('moderator'), Type.Literal('owner')], {
  description: 'Есть только у модераторов и владельцев стены.',
});

const about = nullable(Type.String(), 'Что человек написал о себе, до 160 знаков в одну строку.');

export const currentUser = named('CurrentUser', {
  id,
  username: Type.String(),
  display_name: displayName,
  about,
  email: Type.String(),
  role: Type.Optional(role),
  warning: Type.Optional(Type.String({ description: 'Непрочитанное предупреждение модератора, если оно есть.' })),
});

export const publicUser = named('User', {
  id,
  username: Type.String(),
  display_name: displayName,
  about,
  created_at: seconds,
  posts_count: count,
  has_never_come: Type.Optional(
    Type.Literal(true, { description: 'Есть только у людей, перенесённых со своими записями, пока они не зашли.' }),
  ),
});

export const getCurrentUser = { reply: currentUser };
export const readWarning = {};
export const getUser = { params: usernameParams, reply: publicUser };
export const startEmailChange = { body: object({ email, clientToken }), reply: operation };
export const verifyEmailChange = {
  ...confirmation,
  reply: object({ email: Type.String() }),
};
export const checkUsername = {
  params: usernameParams,
  reply: object({ available: Type.Literal(true) }),
};
export const changeProfile = {
  body: object(
    {
      username: Type.Optional(Type.String()),
      display_name: Type.Optional(displayName),
      about: Type.Optional(about),
    },
    { minProperties: 1 },
  ),
  reply: currentUser,
};

export const keptData = named('KeptData', {
  section: Type.String(),
  title: Type.String(),
  about: Type.String({ description: 'Что именно хранится.' }),
  kept_until: Type.String({ description: 'Как долго.' }),
  count: nullable(count, 'Сколько строк; null, если строки не называют человека или это тайна других людей.'),
  first_at: nullable(seconds),
  last_at: nullable(seconds),
});

export const exportedData = object({
  ...keptData.properties,
  rows: Type.Optional(
    Type.Array(Type.Record(Type.String(), Type.Unknown()), { description: 'Если для них в файле нет своего раздела.' }),
  ),
});

export const getKeptData = { reply: object({ kept: Type.Array(keptData) }) };

export const exportAccount = {
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
};
export const startDeviceConfirmation = startWithCode;
export const verifyDeviceConfirmation = confirmation;
export const startDeletion = startWithCode;
export const verifyDeletion = confirmation;
