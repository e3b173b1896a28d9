import assert from 'node:assert/strict';
import { test } from 'node:test';
import { waitText } from './wait-text.ts';

test('a wait is told in its largest fitting unit, never shorter than it is', () => {
  const told = [0.2, 1, 59, 60, 61, 3_599, 3_600, 3_601, 86_400].map(waitText);
  assert.deepEqual(told, ['1 сек.', '1 сек.', '59 сек.', '1 мин.', '2 мин.', '60 мин.', '1 ч.', '2 ч.', '24 ч.']);
});
