import { Type } from 'typebox';
import { id, paging, strict } from './common.schema.ts';
import { postPage } from './posts.schema.ts';

const notificationPage = Type.Object(
  {
    ...postPage.properties,
    /** How many the person has not read, those of muted authors left out; the newest of the list are the unread ones. */
    unread: Type.Integer({ minimum: 0 }),
  },
  { ...strict, title: 'NotificationPage' },
);

export const listNotifications = { query: Type.Object(paging), reply: notificationPage };
export const readNotifications = { body: Type.Object({ up_to: id }, strict) };
