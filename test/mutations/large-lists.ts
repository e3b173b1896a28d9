import { byRule } from './mutation.ts';

const listPages = 'server/features/posts/list-pages.ts';
const exportHttp = 'server/features/account/export-http.ts';
const moveLikes = 'server/features/posts/move-likes.ts';
const likesTest = 'server/features/posts/many-likes.test.ts';
const exportTest = 'server/features/account/export.test.ts';
const deepPagesTest = 'server/features/posts/deep-pages.test.ts';

/** Work that must not grow with the length of a list: rules 35–37. */
export const largeLists = byRule({
  35: {
    'a page number may skip any number of rows': {
      change: [
        listPages,
        'if (skip > skippedAtMost) return { ...nothing, total, tooDeep: true };',
        'void skippedAtMost;',
      ],
      test: [deepPagesTest, 'every list continues by cursor at any depth'],
    },
    'a page beyond the end is rejected like a deep one': {
      change: [listPages, 'if (skip >= total) return', 'if (total === 0) return'],
      test: [deepPagesTest, 'every list continues by cursor at any depth'],
    },
  },
  37: {
    'a download is read from the database as a whole': {
      change: [
        exportHttp,
        'const file = Readable.from(document(db.read, account, now()));',
        'const file = Readable.from(await Array.fromAsync(document(db.read, account, now())));',
      ],
      test: [exportTest, 'a large export is complete, and read no faster than the client takes it'],
    },
    'a person may run several downloads at once': {
      change: [exportHttp, 'if (running.has(userId)) {', 'if (running.size < 0) {'],
      test: [exportTest, 'one export at a time, five an hour'],
    },
    'downloads have no budget': {
      change: [
        exportHttp,
        'spendOrRefuse(tx, budgets.exports(userId), now(), tooOften)',
        'spendOrRefuse(tx, { key: String(now()), limits: [] }, now(), tooOften)',
      ],
      test: [exportTest, 'one export at a time, five an hour'],
    },
    'a download that fails in the database ends like a complete one': {
      change: [
        exportHttp,
        '    const rows = await read(after);',
        '    const rows = await read(after).catch(() => []);',
      ],
      test: [exportTest, 'an export interrupted by a storage failure does not look complete'],
    },
  },
  36: {
    'a post is deleted with all its likes in one transaction': {
      change: [moveLikes, 'const batch = 100;', 'const batch = 1_000_000;'],
      test: [likesTest, 'a post with many likes is deleted at once, its likes in batches, also by another process'],
    },
    'likes that a killed process has not removed are never removed': {
      change: [
        moveLikes,
        "  else await schedule(tx, { name: 'move-likes', key: String(postId), at: 0 });",
        '  else void schedule;',
      ],
      test: [likesTest, 'a post with many likes is deleted at once, its likes in batches, also by another process'],
    },
    'a restored post loses the likes that had not been moved yet': {
      change: [moveLikes, 'await countIn(tx.db, { postId, n: left!.n });', 'void left;'],
      test: [likesTest, 'likes follow a post that is removed and restored at any time'],
    },
    'a like from before and after a restoration stops the other likes from moving': {
      change: [
        moveLikes,
        "      .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doNothing())\n",
        '',
      ],
      test: [likesTest, 'likes follow a post that is removed and restored at any time'],
    },
  },
});
