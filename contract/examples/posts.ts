import type * as posts from '../posts.ts';
import type { ExamplesOf } from './example.ts';
import { at, onePage, otherPostId, ownPost, ownPostId, quotedReply, reply, rootPost } from './values.ts';

const own = { id: ownPostId };
const other = { id: otherPostId };
const pending = {
  id: '1031',
  text: ownPost.text,
  created_at: at,
  replied_post_id: null,
  expires_at: at + 24 * 3_600,
};

export const postExamples: ExamplesOf<typeof posts> = {
  listPosts: {
    query: { limit: '1' },
    reply: { ...onePage([rootPost]), lastPage: 240, total: 240, next: 'b1017', pinned: null },
  },
  listDiscussed: {
    query: { limit: '1', aside: 'true' },
    reply: {
      posts: [
        {
          ...rootPost,
          last_reply: { id: reply.id, owner: reply.owner, text: reply.text, created_at: reply.created_at },
        },
      ],
      lifted_by: [reply.owner.id],
      next: 'c1017',
      pinned: null,
      aside: {
        discussed: [
          {
            id: rootPost.id,
            owner_id: rootPost.owner.id,
            text: rootPost.text,
            lifted_by: reply.owner.id,
            thread_count: 1,
          },
        ],
        about: null,
        following: [],
      },
    },
  },
  listWaiting: {
    reply: { posts: [{ id: otherPostId, owner_id: rootPost.owner.id, text: rootPost.text, owner: rootPost.owner }] },
  },
  getPost: { params: other, reply: rootPost },
  createPost: { body: { text: ownPost.text }, reply: ownPost, accepted: { pending } },
  editPost: {
    params: own,
    body: { text: 'Сегодня открылся каток!' },
    reply: { ...ownPost, text: 'Сегодня открылся каток!', is_modified: true, modified_at: at + 60 },
  },
  deletePost: { params: own },
  restorePost: { params: own, reply: ownPost },
  getSharedPost: {
    params: own,
    reply: {
      id: ownPost.id,
      created_at: ownPost.created_at,
      text: ownPost.text,
      is_modified: false,
      owner: ownPost.owner,
    },
  },
  sharePost: { params: own },
  unsharePost: { params: own },
  likePost: { params: other, reply: { likes_count: 4 } },
  unlikePost: { params: other, reply: { likes_count: 3 } },
  listReplies: { params: other, query: { limit: '20' }, reply: onePage([reply]) },
  getThread: {
    params: other,
    query: { order: 'oldest' },
    reply: {
      ancestors: [],
      skipped: 0,
      post: rootPost,
      replies: [{ id: quotedReply.id, post: quotedReply, replies: [], more: null }],
      total: 1,
      next: null,
    },
  },
  listOwnReplies: { query: { page: '1' }, reply: onePage([reply]) },
  createReply: {
    params: other,
    body: { text: reply.text },
    reply,
    accepted: { pending: { ...pending, text: reply.text, replied_post_id: otherPostId } },
  },
  listRemoved: {
    reply: {
      posts: [
        {
          id: '1029',
          text: 'Куплю гараж, дёшево, звоните.',
          created_at: at,
          is_modified: false,
          replied_post_id: null,
          removed_at: at + 3_600,
          reason: 'Реклама: пункт 3 правил.',
          is_new: true,
        },
      ],
      deleted: [
        {
          id: '1030',
          text: 'Поторопился.',
          created_at: at,
          is_modified: false,
          replied_post_id: null,
          restorable_until: at + 3_900,
        },
      ],
      pending: [pending],
    },
  },
};
