import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newAnswers } from './visit.ts';

const newOf = (ids: string[], newest: string | undefined, unread: number) => [...newAnswers(ids, { newest, unread })];

test('the newest are new, as many as were unread when the list was opened', () => {
  assert.deepEqual(newOf(['9', '7', '5'], '9', 0), []);
  assert.deepEqual(newOf(['9', '7', '5'], '9', 2), ['9', '7']);
});

test('more unread ones come with the next page', () => {
  assert.deepEqual(newOf(['9', '7'], '9', 3), ['9', '7']);
  assert.deepEqual(newOf(['9', '7', '5', '3'], '9', 3), ['9', '7', '5']);
});

test('whatever has come since is new as well', () => {
  assert.deepEqual(newOf(['12', '11', '9', '7', '5'], '9', 1), ['12', '11', '9']);
  assert.deepEqual(newOf(['2', '1'], undefined, 0), ['2', '1']);
});

test('numbers are compared, not words', () => {
  assert.deepEqual(newOf(['100', '99'], '99', 0), ['100']);
});

test('the newest one, deleted meanwhile, makes no other new', () => {
  assert.deepEqual(newOf(['7', '5'], '9', 0), []);
});
