import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRunning } from './visit.ts';

const visit = { reader: '7', line: '5', at: 100_000 };

test('a visit lasts until nothing was read for half an hour', () => {
  assert.ok(isRunning(visit, '7', 100_000 + 29 * 60));
  assert.ok(!isRunning(visit, '7', 100_000 + 30 * 60));
  assert.ok(!isRunning(null, '7', 100_000));
});

test('another person begins a visit of their own', () => {
  assert.ok(!isRunning(visit, '', 100_000));
});

test('a visit stored by a clock that was ahead has ended', () => {
  assert.ok(!isRunning(visit, '7', 100_000 - 86_400));
});
