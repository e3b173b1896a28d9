import { Type } from 'typebox';
import { call, type TypesOf } from './call.ts';
import * as values from './example-values.ts';
import { notificationWords } from './notification-words.ts';
import { beside, fullPost, postPage, quotedPost, withAside } from './post-schemas.ts';
import { count, counted, id, idParams, named, nullable, object, paging } from './schemas.ts';

const kind = Type.Union(
  [
    Type.Literal('answer'),
    Type.Literal('mention'),
    Type.Literal('followed'),
    Type.Literal('author'),
    Type.Literal('word'),
  ],
  {
    description: `${Object.entries(notificationWords)
      .map(([name, { means }]) => `${name}: ${means}`)
      .join('; ')}. Из нескольких — первое.`,
  },
);

const notificationPage = named('NotificationPage', {
  ...postPage.properties,
  /** The kind of each notification, in the order of the posts. */
  kinds: Type.Array(kind),
  /** The followed word of each notification of the kind `word`, in the order of the posts. */
  words: Type.Array(nullable(Type.String())),
  /** Whether each notification is unread, in the order of the posts. */
  news: Type.Array(Type.Boolean()),
  /** The root posts of these replies, each once. Root posts that are gone are left out. */
  roots: Type.Array(quotedPost),
  /** The number of unread notifications, without notifications of muted authors. */
  unread: count,
});

const following = named('Following', { following: Type.Boolean() });

export const notificationSettings = named('NotificationSettings', {
  follow_replied: Type.Boolean({ description: 'Следить за обсуждениями, в которых вы отвечаете.' }),
  digest: Type.Union([Type.Literal('off'), Type.Literal('daily'), Type.Literal('weekly')], {
    description: 'Как часто присылать письмо о непрочитанном.',
  }),
  best_weekly: Type.Boolean({ description: 'Присылать раз в неделю лучшее за неделю.' }),
  replies_at_once: Type.Boolean({
    description:
      'Присылать письмо об ответах, упоминаниях и новом в обсуждениях через минуту-две, не больше 30 в сутки.',
  }),
  wall_daily: Type.Boolean({ description: 'Присылать раз в день все новые записи с ответами.' }),
  file_monthly: Type.Optional(
    Type.Boolean({
      description: 'Присылать раз в месяц всю стену одним файлом. Есть, если владельцы стены её так рассылают.',
    }),
  ),
});

const { follow_replied: followReplied, digest, ...switches } = notificationSettings.properties;
const optional = (schema: typeof switches.best_weekly) =>
  Type.Optional({ ...schema, description: 'Без него остаётся как было.' });

const chosenSettings = object({
  follow_replied: followReplied,
  digest,
  best_weekly: optional(switches.best_weekly),
  replies_at_once: optional(switches.replies_at_once),
  wall_daily: optional(switches.wall_daily),
  file_monthly: optional(switches.file_monthly),
});

const pushText = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[!-~]*$' });

export type NotificationPage = TypesOf<typeof notificationCalls>['GET /users/current/notifications']['reply'];
export type FollowedPage = TypesOf<typeof notificationCalls>['GET /users/current/following']['reply'];
export type FollowedDiscussion = FollowedPage['discussions'][number];
export type NotificationSettings = TypesOf<
  typeof notificationCalls
>['GET /users/current/notification-settings']['reply'];

export type ChosenSettings = TypesOf<typeof notificationCalls>['PUT /users/current/notification-settings']['body'];

const chosen = {
  follow_replied: true,
  digest: 'weekly',
  best_weekly: false,
  replies_at_once: true,
  wall_daily: false,
} as const;

export const notificationCalls = {
  'GET /users/current/notifications': call({
    name: 'listNotifications',
    says: 'Ответы, упоминания и новое в обсуждениях, за которыми вы следите; новые сначала',
    access: 'user',
    scope: 'read',
    query: Type.Object(paging),
    reply: notificationPage,
    example: {
      query: { limit: '1' },
      reply: {
        ...values.onePage([values.reply]),
        kinds: ['answer'],
        words: [null],
        news: [true],
        roots: [values.reply.actions.replied_post],
        unread: 1,
      },
    },
  }),
  'GET /users/current/following': call({
    name: 'listFollowing',
    says: 'Обсуждения, за которыми вы следите, и новые записи авторов и слов, за которыми вы следите; последнее сначала',
    access: 'user',
    scope: 'read',
    query: Type.Object({ limit: paging.limit, cursor: paging.cursor, aside: withAside }),
    reply: named('FollowedDiscussions', {
      discussions: Type.Array(
        named('FollowedDiscussion', {
          post: fullPost,
          reason: Type.Union([Type.Literal('discussion'), Type.Literal('author'), Type.Literal('word')], {
            description:
              'discussion: обсуждение, стоит по последнему ответу; author: новая запись автора, пока за её обсуждением вы не следите; word: запись или ответ со словом, за которым вы следите.',
          }),
          new_count: counted('Сколько непрочитанных уведомлений об этом обсуждении или об этой записи.'),
          last_reply_at: counted('Время последнего ответа, у записей авторов — самой записи.'),
        }),
      ),
      next: nullable(Type.String()),
      ...beside,
    }),
    example: {
      query: { limit: '1' },
      reply: {
        discussions: [{ post: values.rootPost, reason: 'discussion', new_count: 7, last_reply_at: values.at }],
        next: null,
      },
    },
  }),
  /** Marks the notification and all older ones as read, and moves the reading positions in their discussions to them. */
  'PUT /users/current/notifications/read': call({
    name: 'readNotifications',
    says: 'Отметить уведомления прочитанными до названного включительно; можно назвать свою убранную запись',
    access: 'user',
    scope: 'write',
    spends: 'readings',
    codes: ['NOT_FOUND'],
    body: object({ up_to: id }),
    example: { body: { up_to: values.replyId } },
  }),
  /** The author of a root post follows its discussion until the author declines. */
  'GET /posts/{id}/follow': call({
    name: 'getFollow',
    says: 'Следите ли вы за обсуждением этой записи',
    access: 'user',
    scope: 'read',
    codes: ['NOT_FOUND'],
    params: idParams,
    reply: following,
    example: { params: values.other, reply: { following: false } },
  }),
  /** Any post of the discussion may be named. */
  'PUT /posts/{id}/follow': call({
    name: 'follow',
    says: 'Следить за обсуждением этой записи',
    access: 'user',
    spends: 'follows',
    scope: 'write',
    codes: ['NOT_FOUND'],
    params: idParams,
    reply: following,
    example: { params: values.other, reply: { following: true } },
  }),
  /** A person who has declined does not follow the discussion again by replying. */
  'DELETE /posts/{id}/follow': call({
    name: 'unfollow',
    says: 'Не следить за обсуждением этой записи',
    access: 'user',
    spends: 'follows',
    scope: 'write',
    codes: ['NOT_FOUND'],
    params: idParams,
    reply: following,
    example: { params: values.other, reply: { following: false } },
  }),
  /** Following an author is private: nobody else sees or counts it. */
  'PUT /users/{id}/follow': call({
    name: 'followAuthor',
    says: 'Следить за автором: его новые записи приходят в GET /users/current/following',
    access: 'user',
    spends: 'follows',
    scope: 'write',
    codes: ['FORBIDDEN', 'NOT_FOUND'],
    params: idParams,
    example: { params: { id: values.boris.id } },
  }),
  /** Also works for an author whose account is deleted. */
  'DELETE /users/{id}/follow': call({
    name: 'unfollowAuthor',
    says: 'Больше не следить за автором',
    access: 'user',
    spends: 'follows',
    scope: 'write',
    codes: ['NOT_FOUND'],
    params: idParams,
    example: { params: { id: values.boris.id } },
  }),
  'GET /users/current/notification-settings': call({
    name: 'getNotificationSettings',
    says: 'Настройки уведомлений',
    access: 'user',
    scope: 'read',
    reply: notificationSettings,
    example: { reply: chosen },
  }),
  'PUT /users/current/notification-settings': call({
    name: 'putNotificationSettings',
    says: 'Изменить настройки уведомлений',
    access: 'user',
    spends: 'settings',
    body: chosenSettings,
    reply: notificationSettings,
    example: { body: chosen, reply: chosen },
  }),
  'GET /push/key': call({
    name: 'getPushKey',
    says: 'Ключ стены, с которым браузер подписывается на уведомления (applicationServerKey)',
    access: 'user',
    reply: object({ key: Type.String() }),
    example: { reply: { key: values.pushKeys.p256dh } },
  }),
  'GET /users/current/push': call({
    name: 'getPush',
    says: 'Куда браузер этого сеанса получает уведомления',
    access: 'user',
    reply: named('Push', { endpoint: nullable(Type.String()), hides_text: Type.Boolean() }),
    example: { reply: { endpoint: values.pushEndpoint, hides_text: false } },
  }),
  /** A session has one subscription. A new one replaces it, and it ends with the session. */
  'PUT /users/current/push': call({
    name: 'putPush',
    says: 'Присылать уведомления в браузер этого сеанса: подписка Web Push (RFC 8030)',
    access: 'user',
    spends: 'settings',
    body: object({
      endpoint: pushText(1_000),
      keys: object({ p256dh: pushText(100), auth: pushText(40) }),
      hides_text: Type.Optional(Type.Boolean({ description: 'Без текста записи.' })),
    }),
    example: { body: { endpoint: values.pushEndpoint, keys: values.pushKeys } },
  }),
  'DELETE /users/current/push': call({
    name: 'removePush',
    says: 'Больше не присылать уведомления в браузер этого сеанса',
    access: 'user',
    spends: 'settings',
    example: {},
  }),
};
