import type * as wallTexts from '../wall-texts.ts';
import type * as bookmarks from '../bookmarks.ts';
import type * as live from '../live.ts';
import type * as mutes from '../mutes.ts';
import type * as notifications from '../notifications.ts';
import type * as reading from '../reading.ts';
import type * as reports from '../reports.ts';
import type * as search from '../search.ts';
import type { ExamplesOf } from './example.ts';
import { at, boris, onePage, otherPostId, ownPost, ownPostId, reply, replyId, rootPost } from './values.ts';

const other = { id: otherPostId };
const settings = { follow_replied: true, digest: 'weekly' } as const;

export const notificationExamples: ExamplesOf<typeof notifications> = {
  listNotifications: {
    query: { limit: '1' },
    reply: { ...onePage([reply]), kinds: ['answer'], roots: [reply.actions.replied_post!], unread: 1 },
  },
  listFollowing: {
    query: { limit: '1' },
    reply: { discussions: [{ post: rootPost, new_count: 7, last_reply_at: at }], next: null },
  },
  readNotifications: { body: { up_to: replyId } },
  getFollow: { params: other, reply: { following: false } },
  follow: { params: other, reply: { following: true } },
  unfollow: { params: other, reply: { following: false } },
  getNotificationSettings: { reply: settings },
  putNotificationSettings: { body: settings, reply: settings },
};

export const bookmarkExamples: ExamplesOf<typeof bookmarks> = {
  listBookmarks: { query: { limit: '1' }, reply: { posts: [rootPost], next: null } },
  getBookmark: { params: other, reply: { saved: false } },
  saveBookmark: { params: other },
  removeBookmark: { params: other },
};

export const muteExamples: ExamplesOf<typeof mutes> = {
  listMutes: { reply: { users: [boris] } },
  mute: { params: { id: boris.id } },
  unmute: { params: { id: boris.id } },
};

export const readingExamples: ExamplesOf<typeof reading> = {
  getReading: { query: { thread: otherPostId }, reply: { feed: ownPostId, thread: null } },
  putReading: { body: { list: 'feed', post_id: otherPostId }, reply: { post_id: otherPostId } },
};

export const searchExamples: ExamplesOf<typeof search> = {
  searchPosts: {
    query: { q: 'пекарня' },
    reply: { posts: [rootPost], next: null, highlights: [[[18, 25]]], corrected: null, unknown_author: null },
  },
};

export const liveExamples: ExamplesOf<typeof live> = {
  readEvents: {
    query: { posts: otherPostId },
    reply: {
      position: '90210',
      reset: false,
      posts: [{ id: ownPost.id, owner_id: ownPost.owner.id }],
      replies: [{ id: reply.id, owner_id: reply.owner.id, replied_post_id: otherPostId, parent_post_id: otherPostId }],
      changed: [{ id: ownPost.id, text: ownPost.text, is_modified: true, modified_at: at + 60 }],
      deleted: ['1011'],
      counts: [{ id: otherPostId, likes_count: 3, replies_count: 1, thread_count: 1 }],
    },
  },
};

export const wallTextExamples: ExamplesOf<typeof wallTexts> = {
  getWallText: {
    params: { name: 'rules' },
    reply: {
      name: 'rules',
      title: 'Правила',
      html: '<p>Пишите так, как говорили бы с соседями.</p>\n',
      summary: 'Пишите так, как говорили бы с соседями.',
      hash: '6b1b36cbb04b41490bfc0ab2bfa26f86b1b36cbb04b41490bfc0ab2bfa26f861',
    },
  },
};

export const reportExamples: ExamplesOf<typeof reports> = {
  reportPost: { params: other, query: { reason_id: 'other' }, body: { comment: 'Просит деньги у всех подряд.' } },
  listReasons: {
    reply: {
      reasons: [
        { id: 'spam', name: 'Спам' },
        { id: 'other', name: 'Другое' },
      ],
    },
  },
};
