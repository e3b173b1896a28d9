import { Type } from 'typebox';
import { id, paging, strict } from './common.schema.ts';
import { postPage } from './posts.schema.ts';

const notificationPage = Type.Object(
  {
    ...postPage.properties,
    /** The number of unread notifications without those of muted authors. The unread ones are the newest of the list. */
    unread: Type.Integer({ minimum: 0 }),
  },
  { ...strict, title: 'NotificationPage' },
);

export const listNotifications = { query: Type.Object(paging), reply: notificationPage };
export const readNotifications = { body: Type.Object({ up_to: id }, strict) };
