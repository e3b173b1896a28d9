import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './posts.schema.ts';

export type Post = Static<typeof schema.fullPost>;
export type QuotedPost = Static<typeof schema.quotedPost>;
export type Owner = Static<typeof schema.owner>;
export type LastReply = NonNullable<Post['last_reply']>;
export type WaitingPost = Static<typeof schema.listWaiting.reply>['posts'][number];
export type DiscussedPage = Static<typeof schema.listDiscussed.reply>;
export type Aside = NonNullable<PostPage['aside']>;
export type WrittenPost = Static<typeof schema.writtenPost>;
export type PostPage = Static<typeof schema.postPage>;
export type Thread = Static<typeof schema.thread>;
export type ThreadNode = Thread['replies'][number];
export type RemovedPost = Static<typeof schema.removedPost>;
export type PendingPost = Static<typeof schema.pendingPost>;
export type DeletedPost = Static<typeof schema.deletedPost>;

export const listPosts = endpoint<typeof schema.listPosts>('GET /posts', 'public', {
  tokenScope: 'read',
  codes: ['UNAUTHORIZED'],
});

export const listDiscussed = endpoint<typeof schema.listDiscussed>('GET /posts/discussed', 'public', {
  tokenScope: 'read',
});

/** First posts of newcomers of the last three days without a reply from anybody else. */
export const listWaiting = endpoint<typeof schema.listWaiting>('GET /posts/waiting', 'user', { tokenScope: 'read' });

export const getPost = endpoint<typeof schema.getPost>('GET /posts/{id}', 'public', {
  tokenScope: 'read',
  codes: ['NOT_FOUND'],
});

export const createPost = endpoint<typeof schema.createPost>('POST /posts', 'user', {
  tokenScope: 'write',
  status: 201,
  // The post that the first call with this idempotency key created has been deleted.
  codes: ['NOT_FOUND'],
});

export const editPost = endpoint<typeof schema.editPost>('PATCH /posts/{id}', 'user', {
  tokenScope: 'write',
  codes: ['FORBIDDEN', 'EDIT_PERIOD_EXPIRED', 'NOT_FOUND'],
});

export const deletePost = endpoint<typeof schema.deletePost>('DELETE /posts/{id}', 'user', {
  tokenScope: 'write',
  codes: ['FORBIDDEN', 'NOT_FOUND'],
});

/** Within `limits.undoDeletionSeconds` of the deletion, with its likes and replies; later, and for anybody else, NOT_FOUND. */
export const restorePost = endpoint<typeof schema.restorePost>('POST /posts/{id}/restoration', 'user', {
  tokenScope: 'write',
  codes: ['NOT_FOUND'],
});

/** Everyone reads this of a post that its author has opened, even where only members read the wall. */
export const getSharedPost = endpoint<typeof schema.getSharedPost>('GET /posts/{id}/shared', 'public', {
  codes: ['NOT_FOUND'],
});

export const sharePost = endpoint<typeof schema.sharePost>('PUT /posts/{id}/shared', 'user', {
  tokenScope: 'write',
  codes: ['FORBIDDEN', 'NOT_FOUND'],
});

export const unsharePost = endpoint<typeof schema.unsharePost>('DELETE /posts/{id}/shared', 'user', {
  tokenScope: 'write',
  codes: ['FORBIDDEN', 'NOT_FOUND'],
});

export const likePost = endpoint<typeof schema.likePost>('POST /posts/{id}/likes', 'user', {
  tokenScope: 'write',
  codes: ['NOT_FOUND'],
});

export const unlikePost = endpoint<typeof schema.unlikePost>('DELETE /posts/{id}/likes', 'user', {
  tokenScope: 'write',
  codes: ['NOT_FOUND'],
});

export const listReplies = endpoint<typeof schema.listReplies>('GET /posts/{id}/replies', 'public', {
  tokenScope: 'read',
  codes: ['NOT_FOUND'],
});

/** A response has at most 50 nodes. `limit` counts the first level of `replies`; the others are the nearest below it. */
export const getThread = endpoint<typeof schema.getThread>('GET /posts/{id}/thread', 'public', {
  tokenScope: 'read',
  codes: ['NOT_FOUND'],
});

export const listOwnReplies = endpoint<typeof schema.listOwnReplies>('GET /posts/replies', 'user', {
  tokenScope: 'read',
});

export const createReply = endpoint<typeof schema.createReply>('POST /posts/{id}/replies', 'user', {
  tokenScope: 'write',
  status: 201,
  codes: ['NOT_FOUND', 'DISCUSSION_CLOSED'],
});

export const listRemoved = endpoint<typeof schema.listRemoved>('GET /posts/removed', 'user', { tokenScope: 'read' });
