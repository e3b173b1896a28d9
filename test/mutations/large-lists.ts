import type { Mutation } from './mutation.ts';

const store = 'server/features/posts/store.ts';
const file = 'server/features/account/export-http.ts';
const moveLikes = 'server/features/posts/move-likes.ts';
const likesTest = 'server/features/posts/many-likes.test.ts';
const exportTest = 'server/features/account/export.test.ts';
const deepPages = {
  test: 'server/features/posts/deep-pages.test.ts',
  name: 'every list continues by cursor at any depth',
};

/** Work that must not grow with the length of a list: rules 35–37. */
export const largeLists: readonly Mutation[] = [
  {
    rule: 35,
    how: 'a page number may skip any number of rows',
    file: store,
    from: 'if (skip > skippedAtMost) return { posts: [], total, tooDeep: true };',
    to: 'void skippedAtMost;',
    ...deepPages,
  },
  {
    rule: 35,
    how: 'a page beyond the end is rejected like a deep one',
    file: store,
    from: 'if (skip >= total) return',
    to: 'if (total === 0) return',
    ...deepPages,
  },
  {
    rule: 37,
    how: 'a download is read from the database as a whole',
    file,
    from: 'const file = Readable.from(document(db.read, { id: String(id), ...account }));',
    to: 'const file = Readable.from(await Array.fromAsync(document(db.read, { id: String(id), ...account })));',
    test: exportTest,
    name: 'a large export is complete, and read no faster than the client takes it',
  },
  {
    rule: 37,
    how: 'a person may run several downloads at once',
    file,
    from: 'if (running.has(userId)) {',
    to: 'if (running.size < 0) {',
    test: exportTest,
    name: 'one export at a time, five an hour',
  },
  {
    rule: 37,
    how: 'downloads have no budget',
    file,
    from: 'spendOrRefuse(tx, budgets.exports(userId), now(), tooOften)',
    to: 'spendOrRefuse(tx, { key: String(now()), limits: [] }, now(), tooOften)',
    test: exportTest,
    name: 'one export at a time, five an hour',
  },
  {
    rule: 37,
    how: 'a download that fails in the database ends like a complete one',
    file,
    from: '    const rows = await read(after);',
    to: '    const rows = await read(after).catch(() => []);',
    test: exportTest,
    name: 'an export interrupted by a storage failure does not look complete',
  },
  {
    rule: 36,
    how: 'a post is deleted with all its likes in one transaction',
    file: moveLikes,
    from: 'const batch = 100;',
    to: 'const batch = 1_000_000;',
    test: likesTest,
    name: 'a post with many likes is deleted at once, its likes in batches, also by another process',
  },
  {
    rule: 36,
    how: 'likes that a killed process has not removed are never removed',
    file: moveLikes,
    from: "  else await schedule(tx, { name: 'move-likes', key: String(postId), at: 0 });",
    to: '  else void schedule;',
    test: likesTest,
    name: 'a post with many likes is deleted at once, its likes in batches, also by another process',
  },
  {
    rule: 36,
    how: 'a restored post loses the likes that had not been moved yet',
    file: moveLikes,
    from: 'await countIn(tx.db, { postId, n: left!.n });',
    to: 'void left;',
    test: likesTest,
    name: 'likes follow a post that is removed and restored at any time',
  },
  {
    rule: 36,
    how: 'a like from before and after a restoration stops the other likes from moving',
    file: moveLikes,
    from: "      .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doNothing())\n",
    to: '',
    test: likesTest,
    name: 'likes follow a post that is removed and restored at any time',
  },
];
