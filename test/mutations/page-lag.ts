import { byRule } from './mutation.ts';

const cache = 'server/http/response-cache.ts';
const routes = 'server/pages/routes.ts';
const writes = 'server/features/posts/writes.ts';
const lagTest = 'server/pages/page-lag.test.ts';
const atMostOnce = 'is rendered at most once a second however much is added';
const neverShows = 'never shows what was deleted, removed, replaced or renamed';

/** Pages under writes: rule 103. */
export const pageLag = byRule({
  103: {
    'every like outdates the pages that show the post': {
      change: ['server/features/posts/likes.ts', 'tx.touch(`+post:${post.id}`)', 'tx.touch(`post:${post.id}`)'],
      test: [lagTest, atMostOnce],
    },
    'a page lags for longer than a second': {
      change: [routes, 'const pageLagMs = 1_000;', 'const pageLagMs = 2_000;'],
      test: [lagTest, atMostOnce],
    },
    'the JSON lags as well': {
      change: [cache, 'get(key: string, lagMs = 0)', 'get(key: string, lagMs = 1_000)'],
      test: [lagTest, atMostOnce],
    },
    'a reload shows what was there before': {
      change: [routes, "|| headers['cache-control'] !== undefined ?", '?'],
      test: [lagTest, 'is current for a reload'],
    },
    'a deleted text stays on a page for a second': {
      change: ['server/http/written-tags.ts', 'if (!isAdding) this.replacedAt = at;', ''],
      test: [lagTest, neverShows],
    },
    'a replaced text stays on a page for a second': {
      change: [
        writes,
        "  await record(tx, 'changed', post, now);\n  tx.touch(`post:${post.id}`);",
        "  await record(tx, 'changed', post, now);\n  tx.touch(`+post:${post.id}`);",
      ],
      test: [lagTest, neverShows],
    },
    'the search lags': {
      change: [routes, 'path === addresses.search.path || headers', 'headers'],
      test: [lagTest, 'of the search has every match at once'],
    },
  },
});
