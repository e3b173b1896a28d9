import { byRule } from './mutation.ts';

const audience = 'server/features/notifications/audience.ts';
const follows = 'server/features/notifications/follows.ts';
const mentions = 'server/features/notifications/mentions.ts';
const moving = 'server/features/notifications/move-notifications.ts';
const tell = 'server/features/notifications/tell.ts';
const kindsTest = 'server/features/notifications/kinds.test.ts';
const followersTest = 'server/features/notifications/followers.test.ts';
const notificationsTest = 'server/features/notifications/notifications.test.ts';

/** Who is told of what: rules 82–85. */
export const notifications = byRule({
  82: {
    'a mention hides that the reply is an answer': {
      change: [
        audience,
        "  kinds.set(answeredId, 'answer');\n",
        "  if (!kinds.has(answeredId)) kinds.set(answeredId, 'answer');\n",
      ],
      test: [kindsTest, 'tells each person once'],
    },
    'following hides that the reply mentions the person': {
      change: [
        audience,
        "  if (rootOwnerId !== undefined) kinds.set(rootOwnerId, 'followed');\n  for (const id of await mentionedIn(tx, text)) kinds.set(id, 'mention');",
        "  for (const id of await mentionedIn(tx, text)) kinds.set(id, 'mention');\n  if (rootOwnerId !== undefined) kinds.set(rootOwnerId, 'followed');",
      ],
      test: [kindsTest, 'tells each person once'],
    },
    'a person is told of their own root post': {
      change: [audience, "kinds.set(id, 'mention');\n  kinds.delete(news.authorId);", "kinds.set(id, 'mention');"],
      test: [kindsTest, 'tells nobody who has muted'],
    },
    'names are compared with their case': {
      change: [mentions, 'usernameKey(part.text.slice(1))', 'part.text.slice(1)'],
      test: [kindsTest, 'tells each person once'],
    },
    'a post tells any number of people that it mentions them': {
      change: ['contract/limits.ts', 'mentions: 10', 'mentions: 11'],
      test: [kindsTest, 'mentions nobody by an address'],
    },
    'people who have muted the author are told': {
      change: [tell, "hasNotMuted(sql.ref('u.id'), slot('authorId'))", "hasNotMuted(sql.ref('u.id'), sql.ref('u.id'))"],
      test: [kindsTest, 'tells nobody who has muted'],
    },
    'a mention tells a deleted person': {
      change: [tell, "          .where(isNotDeleted('u'))\n", ''],
      test: [kindsTest, 'tells nobody who has muted'],
    },
    'a mention tells a blocked person': {
      change: [
        tell,
        "eb.or([eb('u.kind', '=', 'answer'), isNotBlocked('u')])",
        "eb.or([eb('u.kind', '<>', ''), isNotBlocked('u')])",
      ],
      test: [kindsTest, 'tells nobody who has muted'],
    },
    'the likes of the root posts are missing': {
      change: [
        'server/features/posts/routes.ts',
        'new PostsResponse(reply, [...page.posts, ...roots])',
        'new PostsResponse(reply, page.posts)',
      ],
      test: [kindsTest, 'is listed with its kind'],
    },
  },
  83: {
    'the author of a root post cannot decline': {
      change: [tell, ".where('f.following', '=', 0)", ".where('f.following', '=', 2)"],
      test: [kindsTest, 'is the default of its author'],
    },
    'a person who follows cannot decline': {
      change: [follows, 'doUpdateSet({ following: value })', 'doNothing()'],
      test: [kindsTest, 'is the default of its author'],
    },
    'the setting not to follow by replying has no effect': {
      change: [follows, "        .where('follow_replied', '=', 1),\n", ''],
      test: [kindsTest, 'by replying is a setting'],
    },
    'the discussions that a deleted account followed are kept': {
      change: [
        'server/ops/jobs/clear-deleted.ts',
        "    await db.deleteFrom('follows').where('user_id', '=', userId).execute();\n",
        '',
      ],
      test: [kindsTest, 'goes with the account'],
    },
    'follows of a discussion stay for ever': {
      change: [
        'server/ops/jobs/wall-jobs.ts',
        'forgetFollows(db.read, run)',
        'void forgetFollows ?? Promise.resolve()',
      ],
      test: [followersTest, 'is followed by nobody a day after nothing of it is left'],
    },
    'a discussion whose root post is gone loses its followers': {
      change: [
        'server/features/notifications/forget-follows.ts',
        "    .unionAll(read.selectFrom('thread_gaps').select('id').where('id', 'in', ids))\n",
        '',
      ],
      test: [followersTest, 'is followed by nobody a day after nothing of it is left'],
    },
  },
  84: {
    'the transaction of a reply tells any number of followers': {
      change: [audience, 'const followersAtOnce = 20;', 'const followersAtOnce = 20_000;'],
      test: [followersTest, 'has few of them told in the transaction'],
    },
    'the job tells the first batch only': {
      change: [audience, 'ids.length < batch ? undefined', 'ids.length > 0 ? undefined'],
      test: [followersTest, 'has few of them told in the transaction'],
    },
    'a reply that is gone is told on': {
      change: [audience, 'if (!(await isShown(tx, news.postId))) return undefined;', 'void isShown;'],
      test: [followersTest, 'is told nothing more of a reply that is deleted'],
    },
    'all notifications of a deleted reply are moved in its transaction': {
      change: [moving, 'const batch = 100;', 'const batch = 1_000_000;'],
      test: [followersTest, 'moved in batches'],
    },
    'people who reply to each other wait for each other until one of them is stopped': {
      change: [tell, '.offset(sql<number>`0`)', ''],
      test: [notificationsTest, 'are all counted when people reply to each other'],
    },
  },
  85: {
    'people who are told are not reported to the event streams': {
      change: [
        'server/features/notifications/people.ts',
        '  tx.touch(...ids.map((id) => `unread:${id}` as const));\n',
        '',
      ],
      test: [followersTest, 'reaches the open streams of those who were told'],
    },
    'the unread count of one person wakes everybody': {
      change: ['server/live/broadcast.ts', 'if (!isEmpty(news)) await', 'if (isEmpty.length > 0) await'],
      test: [followersTest, 'reaches the open streams of those who were told'],
    },
    'a new notification empties the cache of public pages': {
      change: [
        'server/http/written-tags.ts',
        'changed.filter((tag) => !isPersonalTag(tag))',
        '(changed.every(isPersonalTag) ? [] : changed)',
      ],
      test: ['server/http/response-cache.test.ts', 'stays cached however many people read on'],
    },
  },
});
