import type * as schema from './notifications.schema.ts';
import { endpoint } from './endpoint.ts';

export const listNotifications = endpoint<typeof schema.listNotifications>({
  method: 'GET',
  path: '/users/current/notifications',
  summary: 'Ответы других на свои записи и ответы, новые сначала',
  access: 'user',
  status: 200,
  codes: [],
});

/** Marks the notification and all older ones as read. Notifications never become unread again. */
export const readNotifications = endpoint<typeof schema.readNotifications>({
  method: 'PUT',
  path: '/users/current/notifications/read',
  summary: 'Отметить ответы прочитанными до названного включительно',
  access: 'user',
  status: 204,
  codes: ['NOT_FOUND'],
});
