import { Type } from 'typebox';
import { clientToken, confirmCode, email, id, idParams, operation, seconds, strict } from './common.schema.ts';
import { notificationSettings } from './notifications.schema.ts';
import { tokenScope } from './api-tokens.schema.ts';
import { readingPosition } from './reading.schema.ts';
import { displayName, pendingPost, removedPost, written, writtenPost } from './posts.schema.ts';

const usernameParams = Type.Object({ username: Type.String() });

export const role = Type.Union([Type.Literal('moderator'), Type.Literal('owner')], {
  description: 'Есть только у модераторов и владельцев стены.',
});

const about = Type.Union([Type.String(), Type.Null()], {
  description: 'Что человек написал о себе, до 160 знаков в одну строку.',
});

export const currentUser = Type.Object(
  {
    id,
    username: Type.String(),
    display_name: displayName,
    about,
    email: Type.String(),
    role: Type.Optional(role),
    warning: Type.Optional(Type.String({ description: 'Непрочитанное предупреждение модератора, если оно есть.' })),
  },
  { ...strict, title: 'CurrentUser' },
);

export const publicUser = Type.Object(
  {
    id,
    username: Type.String(),
    display_name: displayName,
    about,
    created_at: seconds,
    posts_count: Type.Integer({ minimum: 0 }),
    has_never_come: Type.Optional(
      Type.Literal(true, { description: 'Есть только у людей, перенесённых со своими записями, пока они не зашли.' }),
    ),
  },
  { ...strict, title: 'User' },
);

export const getCurrentUser = { reply: currentUser };
export const readWarning = {};
export const getUser = { params: usernameParams, reply: publicUser };
export const startEmailChange = { body: Type.Object({ email, clientToken }, strict), reply: operation };
export const verifyEmailChange = {
  params: idParams,
  body: Type.Object({ confirmCode, clientToken }, strict),
  reply: Type.Object({ email: Type.String() }, strict),
};
export const checkUsername = {
  params: usernameParams,
  reply: Type.Object({ available: Type.Literal(true) }, strict),
};
export const changeProfile = {
  body: Type.Object(
    {
      username: Type.Optional(Type.String()),
      display_name: Type.Optional(displayName),
      about: Type.Optional(about),
    },
    { ...strict, minProperties: 1 },
  ),
  reply: currentUser,
};

export const exportAccount = {
  reply: Type.Object(
    {
      account: Type.Object({ ...currentUser.properties, created_at: seconds }, strict),
      posts: Type.Array(writtenPost),
      replies: Type.Array(Type.Object({ ...written, replied_post_id: id }, strict)),
      likes: Type.Array(Type.Object({ post_id: id, created_at: seconds }, strict)),
      bookmarks: Type.Array(Type.Object({ post_id: id, created_at: seconds }, strict)),
      removed: Type.Array(removedPost),
      pending: Type.Array(pendingPost),
      reading: Type.Array(Type.Object({ ...readingPosition.properties, updated_at: seconds }, strict)),
      notifications: notificationSettings,
      follows: Type.Array(
        Type.Object(
          { post_id: id, following: Type.Boolean({ description: 'false: отказ следить за обсуждением.' }) },
          strict,
        ),
      ),
      tokens: Type.Array(
        Type.Object(
          {
            name: Type.String(),
            scope: tokenScope,
            created_at: seconds,
            last_used_at: Type.Union([seconds, Type.Null()]),
          },
          strict,
        ),
      ),
      consents: Type.Array(Type.Object({ document_hash: Type.String(), at: seconds }, strict)),
    },
    { ...strict, title: 'Export' },
  ),
};
export const startDeviceConfirmation = { body: Type.Object({ clientToken }, strict), reply: operation };
export const verifyDeviceConfirmation = { params: idParams, body: Type.Object({ confirmCode, clientToken }, strict) };
export const startDeletion = { body: Type.Object({ clientToken }, strict), reply: operation };
export const verifyDeletion = { params: idParams, body: Type.Object({ confirmCode, clientToken }, strict) };
