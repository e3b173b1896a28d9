import { byRule } from './mutation.ts';

const store = 'server/features/reading/store.ts';
const routes = 'server/features/reading/routes.ts';
const broadcast = 'server/live/broadcast.ts';
const liveStore = 'server/features/live/store.ts';
const listPages = 'server/features/posts/list-pages.ts';
const postRules = 'server/features/posts/rules.ts';
const feedCounts = 'server/features/posts/feed-counts.ts';
const readingTest = 'server/features/reading/reading.test.ts';
const devicesTest = 'server/features/reading/devices.test.ts';
const upwardTest = 'server/features/posts/upward.test.ts';

/** Coming back to where one stopped: rules 64 and 65. */
export const reading = byRule({
  64: {
    'the last device that reports a position moves it, also back': {
      change: [store, ".whereRef('reading_positions.post_id', '<', 'excluded.post_id')", ''],
      test: [readingTest, 'are where a person has read furthest on any device'],
    },
    'a position may be ahead of every post': {
      change: [routes, 'postId === undefined || postId > newest || list > newest', 'postId === undefined'],
      test: [readingTest, 'may be a deleted post, but no post that has not been there yet'],
    },
    'a position in a deleted post is refused': {
      change: [
        'server/db/sqlite/open-sqlite.ts',
        'select seq from sqlite_sequence where name = ${table}',
        'select max(id) as seq from ${sql.table(table)}',
      ],
      test: [readingTest, 'may be a deleted post, but no post that has not been there yet'],
    },
    'positions in discussions are kept without limit': {
      change: [store, 'if (beyond) await schedule(', 'if (now < 0 && beyond) await schedule('],
      test: [readingTest, 'are kept for the last thousand discussions'],
    },
    'the positions of a deleted account stay': {
      change: [
        'server/ops/jobs/clear-deleted.ts',
        "await db.deleteFrom('reading_positions').where('user_id', '=', userId).execute();",
        '',
      ],
      test: [readingTest, 'are removed with the account'],
    },
    'other devices learn of a position when they connect again': {
      change: [store, 'tx.touch(`reading:${userId}:${list}`);', ''],
      test: [devicesTest, 'is reported to every stream of its person and to nobody else'],
    },
    'a device that was away learns of nothing': {
      change: [
        liveStore,
        '...(await readingOf(db, userId, listsFor(watched)))',
        '...void [readingOf, listsFor, watched]',
      ],
      test: [devicesTest, 'reaches a device that was away'],
    },
    'a closed session is told how far its person reads on': {
      change: [
        liveStore,
        'if (owner?.user_id === viewer.userId && owner.blocked_at === null) found.set(subscriber, own);',
        'if (owner?.blocked_at !== 0) found.set(subscriber, own);',
      ],
      test: [devicesTest, 'is reported to every stream of its person and to nobody else'],
    },
    'what was missed while the connection was down stays missed': {
      change: [broadcast, "if (tags === 'everything') this.#own.noteAll(", "if (tags === 'everything') void ("],
      test: [devicesTest, 'is reported when the connection that was lost meanwhile is back'],
    },
    'readers empty the cache of public pages': {
      change: [
        'server/http/written-tags.ts',
        'changed.filter((tag) => !isPersonalTag(tag))',
        'changed.filter((tag) => Boolean(isPersonalTag) && tag)',
      ],
      test: ['server/http/response-cache.test.ts', 'stays cached however many people read on'],
    },
  },
  65: {
    'a page above a cursor is the top of the list': {
      change: [
        listPages,
        'const rows = await list.above({ from, limit: limit + 1 });',
        'const rows = (await list.below({ from: top, limit: limit + 1 })).toReversed();',
      ],
      test: [upwardTest, 'from any place of every list'],
    },
    'a page above a cursor begins with its oldest post': {
      change: [listPages, 'rows.slice(0, limit).toReversed()', 'rows.slice(0, limit)'],
      test: [upwardTest, 'from any place of every list'],
    },
    'the top of a list is not recognized': {
      change: [
        listPages,
        'previous: rows.length > limit ? keyOf(shown[0]!) : null,',
        'previous: shown[0] ? keyOf(shown[0]) : null,',
      ],
      test: [upwardTest, 'from any place of every list'],
    },
    'a post at the place of the cursor is repeated': {
      change: ['server/features/posts/stretches.ts', '${column} > ${slot', '${column} >= ${slot'],
      test: [upwardTest, 'from any place of every list'],
    },
    'the cache confuses both directions': {
      change: [postRules, 'key: `above ${before}/${limit}`', 'key: `${before}/${limit}`'],
      test: [upwardTest, 'gets current pages, also from the cache'],
    },
    'a page that begins at a post begins below it': {
      change: [
        'server/features/posts/store.ts',
        'partBelow(feed, place.at + 1, limit,',
        'partBelow(feed, place.at, limit,',
      ],
      test: [upwardTest, 'begins at a post of the feed or the next older one'],
    },
    'newer posts of the same thousand are not counted': {
      change: [feedCounts, '(${inNarrow}) + (${inSlot})', '(${inNarrow}) + 0 * (${inSlot})'],
      test: [upwardTest, 'begins at a post of the feed or the next older one'],
    },
    'newer posts are counted twice': {
      change: [feedCounts, ".where('slot', '<', slot('nextWide'))", ''],
      test: [upwardTest, 'begins at a post of the feed or the next older one'],
    },
  },
});
