import type { BrokenRule } from './broken-rule.ts';

const store = 'server/posts/store.ts';
const file = 'server/account/export.ts';
const moveLikes = 'server/posts/move-likes.ts';
const likesTest = 'server/posts/many-likes.test.ts';
const exportTest = 'server/account/export.test.ts';
const deepPages = { test: 'server/posts/deep-pages.test.ts', name: 'every list goes on at any depth' };

/** What must not grow with a list: rules 35–37. */
export const largeLists: readonly BrokenRule[] = [
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
    how: 'a page beyond the end is refused like a deep one',
    file: store,
    from: 'if (skip >= total) return',
    to: 'if (total === 0) return',
    ...deepPages,
  },
  {
    rule: 37,
    how: 'a download is read from the database at once',
    file,
    from: 'const file = Readable.from(document(db.read, { id: String(id), ...account }));',
    to: 'const file = Readable.from(await Array.fromAsync(document(db.read, { id: String(id), ...account })));',
    test: exportTest,
    name: 'read no faster than it is taken',
  },
  {
    rule: 37,
    how: 'one person downloads several times at once',
    file,
    from: 'if (running.has(userId)) {',
    to: 'if (running.size < 0) {',
    test: exportTest,
    name: 'one download at a time',
  },
  {
    rule: 37,
    how: 'downloads have no budget',
    file,
    from: 'spendOrRefuse(tx, budgets.exports(userId), now(), tooOften)',
    to: 'spendOrRefuse(tx, { key: String(now()), limits: [] }, now(), tooOften)',
    test: exportTest,
    name: 'one download at a time',
  },
  {
    rule: 37,
    how: 'a download whose storage fails ends like a whole one',
    file,
    from: '    const rows = await read(after);',
    to: '    const rows = await read(after).catch(() => []);',
    test: exportTest,
    name: 'does not look whole',
  },
  {
    rule: 36,
    how: 'a post takes all its likes with it in one transaction',
    file: moveLikes,
    from: 'const batch = 100;',
    to: 'const batch = 1_000_000;',
    test: likesTest,
    name: 'is deleted at once, its likes in parts',
  },
  {
    rule: 36,
    how: 'likes that a process has left behind stay for ever',
    file: 'server/jobs/clear-deleted.ts',
    from: '  await moveRemainingLikes(db, now);',
    to: '  void moveRemainingLikes;',
    test: likesTest,
    name: 'is deleted at once, its likes in parts',
  },
  {
    rule: 36,
    how: 'a restored post forgets the likes that had not been hidden yet',
    file: moveLikes,
    from: 'await countIn(tx.db, { postId, n: left!.n });',
    to: 'void left;',
    test: likesTest,
    name: 'likes follow a post that is hidden and restored',
  },
  {
    rule: 36,
    how: 'a like given twice on either side of a restoration stops the others',
    file: moveLikes,
    from: "      .onConflict((conflict) => conflict.columns(['post_id', 'user_id']).doNothing())\n",
    to: '',
    test: likesTest,
    name: 'likes follow a post that is hidden and restored',
  },
];
