import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onDemand } from './on-demand.ts';

test('loads once for all callers and keeps the result', async () => {
  let fetched = 0;
  const source = onDemand(async () => ++fetched);
  assert.equal(source.here(), undefined);
  assert.deepEqual(await Promise.all([source.load(), source.load()]), [1, 1]);
  assert.equal(await source.load(), 1);
  assert.equal(source.here(), 1);
});

test('loads again after a failure', async () => {
  let tries = 0;
  const source = onDemand(async () => {
    tries += 1;
    if (tries === 1) throw new Error('no network');
    return tries;
  });
  await assert.rejects(source.load());
  assert.equal(source.here(), undefined);
  assert.equal(await source.load(), 2);
});
