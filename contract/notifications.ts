import type { Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import type * as schema from './notifications.schema.ts';

export type NotificationPage = Static<typeof schema.listNotifications.reply>;
export type NotificationKind = NotificationPage['kinds'][number];
export type FollowedPage = Static<typeof schema.listFollowing.reply>;
export type FollowedDiscussion = FollowedPage['discussions'][number];
export type NotificationSettings = Static<typeof schema.getNotificationSettings.reply>;

export const listNotifications = endpoint<typeof schema.listNotifications>({
  method: 'GET',
  path: '/users/current/notifications',
  access: 'user',
  tokenScope: 'read',
});

export const listFollowing = endpoint<typeof schema.listFollowing>({
  method: 'GET',
  path: '/users/current/following',
  access: 'user',
  tokenScope: 'read',
});

/** Marks the notification and all older ones as read. Notifications never become unread again. */
export const readNotifications = endpoint<typeof schema.readNotifications>({
  method: 'PUT',
  path: '/users/current/notifications/read',
  access: 'user',
  tokenScope: 'write',
  status: 204,
  codes: ['NOT_FOUND'],
});

/** The author of a root post follows its discussion until they decline. */
export const getFollow = endpoint<typeof schema.getFollow>({
  method: 'GET',
  path: '/posts/{id}/follow',
  access: 'user',
  tokenScope: 'read',
  codes: ['NOT_FOUND'],
});

/** Any post of the discussion may be named. */
export const follow = endpoint<typeof schema.follow>({
  method: 'PUT',
  path: '/posts/{id}/follow',
  access: 'user',
  tokenScope: 'write',
  codes: ['NOT_FOUND'],
});

/** Replying does not make a person follow again who has declined. */
export const unfollow = endpoint<typeof schema.unfollow>({
  method: 'DELETE',
  path: '/posts/{id}/follow',
  access: 'user',
  tokenScope: 'write',
  codes: ['NOT_FOUND'],
});

export const getNotificationSettings = endpoint<typeof schema.getNotificationSettings>({
  method: 'GET',
  path: '/users/current/notification-settings',
  access: 'user',
  tokenScope: 'read',
});

export const putNotificationSettings = endpoint<typeof schema.putNotificationSettings>({
  method: 'PUT',
  path: '/users/current/notification-settings',
  access: 'user',
});
