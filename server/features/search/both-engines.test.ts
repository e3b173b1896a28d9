import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareSearches } from '../../../test/kit/search-comparison.ts';

test('500 random queries have the same results on both engines', async () => {
  const { queries, fruitful, differences } = await compareSearches({ posts: 2_000, queries: 500 });
  assert.deepEqual(differences, []);
  assert.ok(queries === 500 && fruitful > 250, `${fruitful} of ${queries} queries found something`);
});
