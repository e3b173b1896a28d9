import type { BrokenRule } from './broken-rule.ts';

const store = 'server/posts/store.ts';
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
];
