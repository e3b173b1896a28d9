import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUseful, type Operation, secondsToWait } from './operation.ts';

const started: Operation = {
  id: 'id',
  email: 'anna@example.org',
  startedAt: 1_000_000,
  pauseSeconds: 60,
};

test('counts the pause down in whole seconds to zero', () => {
  const left = [0, 1, 1_000, 59_001, 60_000, 90_000].map((passed) => secondsToWait(started, 1_000_000 + passed));
  assert.deepEqual(left, [60, 60, 59, 1, 0, 0]);
});

test('does not extend the pause when the clock was set back', () => {
  assert.equal(secondsToWait(started, 1_000_000 - 3_600_000), 0);
});

test('is useful for ten minutes', () => {
  assert.equal(isUseful(started, 1_000_000), true);
  assert.equal(isUseful(started, 1_000_000 + 599_999), true);
  assert.equal(isUseful(started, 1_000_000 + 600_000), false);
  assert.equal(isUseful(started, 999_999), false);
});
