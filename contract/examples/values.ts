import type { Post, QuotedPost } from '../posts.ts';

// The curl lines of /api contain these values. The test that runs the lines puts those of its wall in their place, so no
// value may be a part of another one.

export const galina = { id: '31', username: 'galina_m', display_name: 'Галина' };
export const boris = { id: '32', username: 'boris_k', display_name: null };
export const ownPostId = '1042';
export const otherPostId = '1017';
export const replyId = '1043';
export const sessionId = '508';
export const tokenId = '77';
export const invitationId = '6';
export const claimCode = '12-qkT0';
export const operationId = 'p3nUq7Zx';
export const clientToken = 'moya-programma';
export const confirmCode = '257494';
export const email = 'galina@example.org';
export const newEmail = 'galina.m@example.org';
export const newUsername = 'galina_petrova';
/** 1 January 2026, 12:00 UTC. */
export const at = 1_767_268_800;

const alone = { parent_post_id: null, replied_post_id: null, replied_post: null };

const question: QuotedPost = {
  id: otherPostId,
  text: 'Кто знает хорошую пекарню у вокзала?',
  created_at: at,
  is_modified: false,
  owner: boris,
  actions: { is_liked: false, likes_count: 3, replies_count: 1, thread_count: 1, ...alone },
};

/** A root post, as lists show it. */
export const rootPost: Post = question;

/** A root post of the person who calls. */
export const ownPost: Post = {
  ...question,
  id: ownPostId,
  text: 'Сегодня открылся каток.',
  owner: galina,
  actions: { is_liked: false, likes_count: 0, replies_count: 0, thread_count: 0, ...alone },
};

/** A reply without the post it replies to. */
export const quotedReply: QuotedPost = {
  id: replyId,
  text: 'На Мира, 5: хлеб там с семи утра.',
  created_at: at + 90,
  is_modified: false,
  owner: galina,
  actions: {
    is_liked: false,
    likes_count: 1,
    replies_count: 0,
    thread_count: null,
    parent_post_id: otherPostId,
    replied_post_id: otherPostId,
    replied_post: null,
  },
};

export const reply: Post = { ...quotedReply, actions: { ...quotedReply.actions, replied_post: question } };

/** A list with one post on one page. */
export const onePage = <Item>(posts: Item[]) => ({
  posts,
  firstPage: 1,
  lastPage: 1,
  total: posts.length,
  next: null,
  previous: null,
});
