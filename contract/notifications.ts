import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './notifications.schema.ts';

export type NotificationPage = Static<typeof schema.listNotifications.reply>;
export type NotificationKind = NotificationPage['kinds'][number];
export type FollowedPage = Static<typeof schema.listFollowing.reply>;
export type FollowedDiscussion = FollowedPage['discussions'][number];
export type NotificationSettings = Static<typeof schema.getNotificationSettings.reply>;

export const listNotifications = endpoint<typeof schema.listNotifications>('GET /users/current/notifications', 'user', {
  tokenScope: 'read',
});

export const listFollowing = endpoint<typeof schema.listFollowing>('GET /users/current/following', 'user', {
  tokenScope: 'read',
});

/** Marks the notification and all older ones as read. Notifications never become unread again. */
export const readNotifications = endpoint<typeof schema.readNotifications>(
  'PUT /users/current/notifications/read',
  'user',
  { tokenScope: 'write', codes: ['NOT_FOUND'] },
);

/** The author of a root post follows its discussion until they decline. */
export const getFollow = endpoint<typeof schema.getFollow>('GET /posts/{id}/follow', 'user', {
  tokenScope: 'read',
  codes: ['NOT_FOUND'],
});

/** Any post of the discussion may be named. */
export const follow = endpoint<typeof schema.follow>('PUT /posts/{id}/follow', 'user', {
  tokenScope: 'write',
  codes: ['NOT_FOUND'],
});

/** Replying does not make a person follow again who has declined. */
export const unfollow = endpoint<typeof schema.unfollow>('DELETE /posts/{id}/follow', 'user', {
  tokenScope: 'write',
  codes: ['NOT_FOUND'],
});

export const getNotificationSettings = endpoint<typeof schema.getNotificationSettings>(
  'GET /users/current/notification-settings',
  'user',
  { tokenScope: 'read' },
);

export const putNotificationSettings = endpoint<typeof schema.putNotificationSettings>(
  'PUT /users/current/notification-settings',
  'user',
);
