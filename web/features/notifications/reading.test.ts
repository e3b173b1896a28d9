import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newNotifications } from './reading.ts';

const newOf = (ids: string[], newest: string | undefined, unread: number) => [
  ...newNotifications(ids, () => true, { newest, unread }),
];

test('counts as many of the newest as new as were unread on opening', () => {
  assert.deepEqual(newOf(['9', '7', '5'], '9', 0), []);
  assert.deepEqual(newOf(['9', '7', '5'], '9', 2), ['9', '7']);
});

test('finds more unread ones on the next page', () => {
  assert.deepEqual(newOf(['9', '7'], '9', 3), ['9', '7']);
  assert.deepEqual(newOf(['9', '7', '5', '3'], '9', 3), ['9', '7', '5']);
});

test('counts everything that arrived later as new', () => {
  assert.deepEqual(newOf(['12', '11', '9', '7', '5'], '9', 1), ['12', '11', '9']);
  assert.deepEqual(newOf(['2', '1'], undefined, 0), ['2', '1']);
});

test('compares ids as numbers', () => {
  assert.deepEqual(newOf(['100', '99'], '99', 0), ['100']);
});

test('goes by the order of the list: a job may notify of an older post later', () => {
  assert.deepEqual(newOf(['500', '505', '490'], '505', 0), ['500']);
  assert.deepEqual(newOf(['500', '505', '490'], '500', 1), ['500']);
});

test('counts no other as new when the newest was deleted', () => {
  assert.deepEqual(newOf(['7', '5'], '9', 0), []);
});
