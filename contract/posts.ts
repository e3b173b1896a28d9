import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './posts.schema.ts';

export type Post = Static<typeof schema.fullPost>;
export type QuotedPost = Static<typeof schema.quotedPost>;
export type WrittenPost = Static<typeof schema.writtenPost>;
export type PostPage = Static<typeof schema.postPage>;
export type Thread = Static<typeof schema.thread>;
export type ThreadNode = Thread['replies'][number];
export type RemovedPost = Static<typeof schema.removedPost>;
export type DeletedPost = Static<typeof schema.deletedPost>;

export const listPosts = endpoint<typeof schema.listPosts>({
  method: 'GET',
  path: '/posts',
  summary: 'Записи, новые сначала',
  access: 'public',
  tokenScope: 'read',
  status: 200,
  codes: ['UNAUTHORIZED'],
});

export const getPost = endpoint<typeof schema.getPost>({
  method: 'GET',
  path: '/posts/{id}',
  summary: 'Одна запись',
  access: 'public',
  tokenScope: 'read',
  status: 200,
  codes: ['NOT_FOUND'],
});

export const createPost = endpoint<typeof schema.createPost>({
  method: 'POST',
  path: '/posts',
  summary: 'Опубликовать запись',
  access: 'user',
  tokenScope: 'write',
  status: 201,
  // The post that the first call with this idempotency key created has been deleted.
  codes: ['NOT_FOUND'],
});

export const editPost = endpoint<typeof schema.editPost>({
  method: 'PATCH',
  path: '/posts/{id}',
  summary: 'Изменить свою запись',
  access: 'user',
  tokenScope: 'write',
  status: 200,
  codes: ['FORBIDDEN', 'EDIT_PERIOD_EXPIRED', 'NOT_FOUND'],
});

export const deletePost = endpoint<typeof schema.deletePost>({
  method: 'DELETE',
  path: '/posts/{id}',
  summary: 'Удалить свою запись',
  access: 'user',
  tokenScope: 'write',
  status: 204,
  codes: ['FORBIDDEN', 'NOT_FOUND'],
});

/** Within `limits.undoDeletionSeconds` of the deletion, with its likes and replies; later, and for anybody else, NOT_FOUND. */
export const restorePost = endpoint<typeof schema.restorePost>({
  method: 'POST',
  path: '/posts/{id}/restoration',
  summary: 'Вернуть запись, которую вы удалили не больше пяти минут назад',
  access: 'user',
  tokenScope: 'write',
  status: 200,
  codes: ['NOT_FOUND'],
});

export const likePost = endpoint<typeof schema.likePost>({
  method: 'POST',
  path: '/posts/{id}/likes',
  summary: 'Отметить как понравившуюся',
  access: 'user',
  tokenScope: 'write',
  status: 200,
  codes: ['NOT_FOUND'],
});

export const unlikePost = endpoint<typeof schema.unlikePost>({
  method: 'DELETE',
  path: '/posts/{id}/likes',
  summary: 'Снять отметку «Нравится»',
  access: 'user',
  tokenScope: 'write',
  status: 200,
  codes: ['NOT_FOUND'],
});

export const listReplies = endpoint<typeof schema.listReplies>({
  method: 'GET',
  path: '/posts/{id}/replies',
  summary: 'Ответы на запись, новые сначала',
  access: 'public',
  tokenScope: 'read',
  status: 200,
  codes: ['NOT_FOUND'],
});

/** A response has at most 50 nodes. `limit` counts the first level of `replies`; the others are the nearest below it. */
export const getThread = endpoint<typeof schema.getThread>({
  method: 'GET',
  path: '/posts/{id}/thread',
  summary: 'Запись с путём к ней и деревом ответов, не больше 50 записей дерева за раз',
  access: 'public',
  tokenScope: 'read',
  status: 200,
  codes: ['NOT_FOUND'],
});

export const listOwnReplies = endpoint<typeof schema.listOwnReplies>({
  method: 'GET',
  path: '/posts/replies',
  summary: 'Свои ответы, новые сначала',
  access: 'user',
  tokenScope: 'read',
  status: 200,
  codes: [],
});

export const createReply = endpoint<typeof schema.createReply>({
  method: 'POST',
  path: '/posts/{id}/replies',
  summary: 'Ответить на запись',
  access: 'user',
  tokenScope: 'write',
  status: 201,
  codes: ['NOT_FOUND'],
});

export const listRemoved = endpoint<typeof schema.listRemoved>({
  method: 'GET',
  path: '/posts/removed',
  summary: 'Свои записи и ответы, которые скрыл оператор, и те, чьё удаление ещё можно отменить; последние сначала',
  access: 'user',
  tokenScope: 'read',
  status: 200,
  codes: [],
});
