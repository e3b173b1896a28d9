import type { Mutation } from './mutation.ts';

const counts = 'server/features/posts/thread-counts.ts';
const queries = 'server/features/posts/thread-queries.ts';
const writes = 'server/features/posts/writes.ts';
const walk = {
  test: 'server/features/posts/thread-walk.test.ts',
  name: 'whatever is written, deleted, removed and restored',
};
const writing = 'server/features/posts/thread-writes.test.ts';
const notificationsTest = 'server/features/notifications/notifications.test.ts';

/** Discussions as trees: rules 58–60. */
export const threads: readonly Mutation[] = [
  {
    rule: 58,
    how: 'the walk passes replies and forgets the gaps between them',
    file: queries,
    from: "${nextIn('posts')} union all ${nextIn('thread_gaps')}",
    to: "${nextIn('posts')}",
    ...walk,
  },
  {
    rule: 58,
    how: 'of many nodes those with the smallest ids are shown instead of the nearest',
    file: queries,
    from: 'order by distance, id limit',
    to: 'order by id limit',
    ...walk,
  },
  {
    rule: 58,
    how: 'a branch of another discussion is shown',
    file: 'server/features/posts/thread.ts',
    from: 'branch?.root_id === (row.parent_post_id ?? id)',
    to: 'branch !== undefined',
    test: 'server/features/posts/thread.test.ts',
    name: 'refuses what no thread has given out',
  },
  {
    rule: 58,
    how: 'a list of replies below the first level is passed to its end',
    file: queries,
    from: 'walk.nth < ${sql.lit(limits.threadBranch)}',
    to: 'walk.nth > 0',
    test: 'server/features/posts/thread.test.ts',
    name: 'starts with the direct replies',
  },
  {
    rule: 59,
    how: 'a gap stays when its last reply has gone',
    file: counts,
    from: 'if (gap.replies_count + gap.gaps_count === 0) await closeGap(tx, gap);',
    to: 'void closeGap;',
    ...walk,
  },
  {
    rule: 59,
    how: 'a restored post is put below the root although it is known what it answered',
    file: counts,
    from: 'gapOf(removed ?? unknownPosition(id, below), counts)',
    to: 'gapOf(unknownPosition(id, below), counts)',
    ...walk,
  },
  {
    rule: 59,
    how: 'the root does not count nested replies',
    file: counts,
    from: 'const root = await change(tx, rootId, { ...none, thread: 1 });',
    to: 'const root = await change(tx, rootId, none);',
    test: writing,
    name: 'counts exactly under concurrent replies',
  },
  {
    rule: 59,
    how: 'a reply is counted only where its post was found first',
    file: counts,
    from: 'for (let tries = 0; tries < 2; tries += 1) {',
    to: 'for (let tries = 0; tries < 1; tries += 1) {',
    test: writing,
    name: 'a deletion that waits for the restoration of the answered post',
  },
  {
    rule: 59,
    how: 'cached threads do not become outdated by nested replies',
    file: writes,
    from: 'if (rootId !== repliedTo) tx.touch(`post:${rootId}`);',
    to: '',
    test: writing,
    name: 'is seen at once by everybody who has read it before',
  },
  {
    rule: 60,
    how: 'the author of the root post is not notified of nested replies',
    file: writes,
    from: 'notified: [answeredId, rootOwnerId]',
    to: 'notified: [answeredId]',
    test: notificationsTest,
    name: 'are the replies of others to own posts and replies',
  },
  {
    rule: 60,
    how: 'the notifications of a removed post are lost',
    file: 'server/features/moderation/removal.ts',
    from: 'await keepNotifications(tx, id);',
    to: 'void keepNotifications;',
    test: notificationsTest,
    name: 'of a nested reply disappear and return with it',
  },
  {
    rule: 60,
    how: 'readers of a root post are not told of nested replies',
    file: 'server/live/news.ts',
    from: 'watched.includes(repliedTo) || watched.includes(rootId)',
    to: 'watched.includes(repliedTo)',
    test: 'server/live/events.test.ts',
    name: 'tell of a nested reply to readers of the answered post or of the root',
  },
];
