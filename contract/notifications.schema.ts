import { Type } from 'typebox';
import { count, counted, id, idParams, named, nullable, object, paging, seconds } from './common.schema.ts';
import { beside, fullPost, postPage, quotedPost, withAside } from './posts.schema.ts';

const kind = Type.Union([Type.Literal('answer'), Type.Literal('mention'), Type.Literal('followed')], {
  description:
    'answer: ответ на вашу запись; mention: вас упомянули; followed: новое в обсуждении, за которым вы следите. Из нескольких — первое.',
});

const notificationPage = named('NotificationPage', {
  ...postPage.properties,
  /** The kind of each notification, in the order of the posts. */
  kinds: Type.Array(kind),
  /** The root posts of the discussions of these replies, each once, without those that are gone. */
  roots: Type.Array(quotedPost),
  /** The number of unread notifications without those of muted authors. The unread ones are the newest of the list. */
  unread: count,
});

const following = named('Following', { following: Type.Boolean() });

export const notificationSettings = named('NotificationSettings', {
  follow_replied: Type.Boolean({ description: 'Следить за обсуждениями, в которых вы отвечаете.' }),
  digest: Type.Union([Type.Literal('off'), Type.Literal('daily'), Type.Literal('weekly')], {
    description: 'Как часто присылать письмо о непрочитанном.',
  }),
});

export const listNotifications = { query: Type.Object(paging), reply: notificationPage };
export const readNotifications = { body: object({ up_to: id }) };
export const getFollow = { params: idParams, reply: following };
export const follow = { params: idParams, reply: following };
export const unfollow = { params: idParams, reply: following };
export const listFollowing = {
  query: Type.Object({ limit: paging.limit, cursor: paging.cursor, aside: withAside }),
  reply: named('FollowedDiscussions', {
    discussions: Type.Array(
      named('FollowedDiscussion', {
        post: fullPost,
        new_count: counted('Сколько ответов прибавилось с вашего прошлого чтения.'),
        last_reply_at: seconds,
      }),
    ),
    next: nullable(Type.String()),
    ...beside,
  }),
};
export const getNotificationSettings = { reply: notificationSettings };
export const putNotificationSettings = { body: notificationSettings, reply: notificationSettings };
