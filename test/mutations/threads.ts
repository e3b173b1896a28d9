import { byRule } from './mutation.ts';

const counts = 'server/features/posts/thread-counts.ts';
const queries = 'server/features/posts/thread-queries.ts';
const writes = 'server/features/posts/writes.ts';
const writing = 'server/features/posts/thread-writes.test.ts';
const notificationsTest = 'server/features/notifications/notifications.test.ts';
const threadWalkTest = 'server/features/posts/thread-walk.test.ts';
const threadTest = 'server/features/posts/thread.test.ts';
const arrivals = 'web/features/posts/thread/arrivals.ts';
const threadWindow = 'web/features/posts/thread/thread-window.ts';
const threadLive = 'test/e2e/thread-live.spec.ts';

/** Discussions as trees: rules 58–60, 62 and 63. */
export const threads = byRule({
  58: {
    'the walk passes replies and forgets the gaps between them': {
      change: [queries, "${nextIn('posts')} union all ${nextIn('thread_gaps')}", "${nextIn('posts')}"],
      test: [threadWalkTest, 'whatever is written, deleted, removed and restored'],
    },
    'of many nodes those with the smallest ids are shown instead of the nearest': {
      change: [queries, 'order by distance, id limit', 'order by id limit'],
      test: [threadWalkTest, 'whatever is written, deleted, removed and restored'],
    },
    'a discussion with very many gaps is read as a whole although a part is missing': {
      change: [
        'server/features/posts/thread.ts',
        'all.length <= limits.threadNodes && (all.length > 0 || root?.thread_count === 0)',
        'all.length > 0 || root?.thread_count === 0',
      ],
      test: ['server/features/posts/thread-gaps.test.ts', 'reads few replies with many gaps between them'],
    },
    'a small discussion shows a list of replies below the first level to its end': {
      change: ['server/features/posts/thread-rules.ts', '.slice(0, limits.threadBranch)', ''],
      test: [threadTest, 'starts with the direct replies'],
    },
    'the next reply is found by reading all of them': {
      change: [queries, 'select min(n.id) as id from', 'select min(n.id + 0) as id from'],
      test: [threadTest, 'costs the same for a hundred replies and for thousands'],
    },
    'a branch of another discussion is shown': {
      change: ['server/features/posts/thread.ts', 'branch?.root_id === rootId ?', 'branch ?'],
      test: [threadTest, 'refuses what no thread has given out'],
    },
    'a list of replies below the first level is passed to its end': {
      change: [queries, 'walk.nth < ${sql.lit(limits.threadBranch)}', 'walk.nth > 0'],
      test: [threadTest, 'starts with the direct replies'],
    },
  },
  59: {
    'a chain of gaps of any length is closed in one transaction': {
      change: [counts, 'if (gapsLeft === 0) return', 'if (gapsLeft < -1_000_000) return'],
      test: [
        'server/features/posts/thread-gaps.test.ts',
        'closes a long chain a hundred gaps at a time, and stops where there is a reply again',
      ],
    },
    'a gap stays when its last reply has gone': {
      change: [
        counts,
        'if (gap.replies_count + gap.gaps_count === 0) await closeGap(tx, gap, gapsLeft);',
        'void closeGap;',
      ],
      test: [threadWalkTest, 'whatever is written, deleted, removed and restored'],
    },
    'a restored post is put below the root although it is known what it answered': {
      change: [
        counts,
        'gapOf(removed ?? unknownPosition(id, below), counts)',
        'gapOf(unknownPosition(id, below), counts)',
      ],
      test: [threadWalkTest, 'whatever is written, deleted, removed and restored'],
    },
    'the root does not count nested replies': {
      change: [
        counts,
        'const root = await change(tx, rootId, { ...none, thread: 1 });',
        'const root = await change(tx, rootId, none);',
      ],
      test: [writing, 'counts exactly under concurrent replies'],
    },
    'a reply is counted only where its post was found first': {
      change: [counts, 'for (let tries = 0; tries < 2; tries += 1) {', 'for (let tries = 0; tries < 1; tries += 1) {'],
      test: [writing, 'a deletion that waits for the restoration of the answered post'],
    },
    'cached threads do not become outdated by nested replies': {
      change: [writes, 'if (rootId !== repliedTo) tx.touch(`${kind}post:${rootId}`);', ''],
      test: [writing, 'is seen at once by everybody who has read it before'],
    },
  },
  60: {
    'the author of the root post is not notified of nested replies': {
      change: [
        'server/features/notifications/audience.ts',
        "if (rootOwnerId !== undefined) kinds.set(rootOwnerId, 'followed');",
        '',
      ],
      test: [notificationsTest, 'are the replies of others to own posts and replies'],
    },
    'the notifications of a removed post are lost': {
      change: [
        'server/features/notifications/move-notifications.ts',
        "if (state === 'removed') await hide(tx.db, range);",
        'void hide;',
      ],
      test: [notificationsTest, 'of a nested reply disappear and return with it'],
    },
    'nested replies are not reported to readers of the root post': {
      change: [
        'server/live/news.ts',
        'watched.includes(repliedTo) || watched.includes(rootId)',
        'watched.includes(repliedTo)',
      ],
      test: ['server/live/events.test.ts', 'report a nested reply to readers of the answered post or of the root'],
    },
  },
  62: {
    'a reply is inserted although its place is on the screen': {
      change: [arrivals, 'return box.top < top || box.top >= innerHeight;', 'return true;'],
      test: [threadLive, 'nothing on the screen moves'],
    },
    'what is read is not held where it is when replies come above it': {
      change: [threadWindow, 'if (ids() !== shownIds) hold();', ''],
      test: [threadLive, 'nothing on the screen moves'],
    },
    'each reply is loaded by a request of its own': {
      change: [
        arrivals,
        '[...new Set(unloaded.map(({ parent }) => parent))].slice(0, requestsAtOnce)',
        'unloaded.map(({ parent }) => parent)',
      ],
      test: [threadLive, 'by few requests'],
    },
  },
  63: {
    'all rows of a discussion are in the document': {
      change: [
        threadWindow,
        'if (all.length <= windowedFrom || !box) return null;',
        'if (all.length > 0 || !box) return null;',
      ],
      test: ['test/e2e/thread-long.spec.ts', '1,000 replies'],
    },
    'the way to the place in a branch is not stored': {
      change: ['web/app/router/place.ts', 'path.push(at);', ''],
      test: ['test/e2e/thread-places.spec.ts', 'in a branch'],
    },
  },
});
