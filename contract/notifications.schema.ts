import { Type } from 'typebox';
import { id, idParams, paging, seconds, strict } from './common.schema.ts';
import { beside, fullPost, postPage, quotedPost, withAside } from './posts.schema.ts';

const kind = Type.Union([Type.Literal('answer'), Type.Literal('mention'), Type.Literal('followed')], {
  description:
    'answer: ответ на вашу запись; mention: вас упомянули; followed: новое в обсуждении, за которым вы следите. Из нескольких — первое.',
});

const notificationPage = Type.Object(
  {
    ...postPage.properties,
    /** The kind of each notification, in the order of the posts. */
    kinds: Type.Array(kind),
    /** The root posts of the discussions of these replies, each once, without those that are gone. */
    roots: Type.Array(quotedPost),
    /** The number of unread notifications without those of muted authors. The unread ones are the newest of the list. */
    unread: Type.Integer({ minimum: 0 }),
  },
  { ...strict, title: 'NotificationPage' },
);

const following = Type.Object({ following: Type.Boolean() }, { ...strict, title: 'Following' });

export const notificationSettings = Type.Object(
  {
    follow_replied: Type.Boolean({ description: 'Следить за обсуждениями, в которых вы отвечаете.' }),
    digest: Type.Union([Type.Literal('off'), Type.Literal('daily'), Type.Literal('weekly')], {
      description: 'Как часто присылать письмо о непрочитанном.',
    }),
  },
  { ...strict, title: 'NotificationSettings' },
);

export const listNotifications = { query: Type.Object(paging), reply: notificationPage };
export const readNotifications = { body: Type.Object({ up_to: id }, strict) };
export const getFollow = { params: idParams, reply: following };
export const follow = { params: idParams, reply: following };
export const unfollow = { params: idParams, reply: following };
export const listFollowing = {
  query: Type.Object({ limit: paging.limit, cursor: paging.cursor, aside: withAside }),
  reply: Type.Object(
    {
      discussions: Type.Array(
        Type.Object(
          {
            post: fullPost,
            new_count: Type.Integer({
              minimum: 0,
              description: 'Сколько ответов прибавилось с вашего прошлого чтения.',
            }),
            last_reply_at: seconds,
          },
          { ...strict, title: 'FollowedDiscussion' },
        ),
      ),
      next: Type.Union([Type.String(), Type.Null()]),
      ...beside,
    },
    { ...strict, title: 'FollowedDiscussions' },
  ),
};
export const getNotificationSettings = { reply: notificationSettings };
export const putNotificationSettings = { body: notificationSettings, reply: notificationSettings };
