import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countdown } from './edit-window.ts';

test('formats the remaining time in minutes and seconds', () => {
  assert.deepEqual([600, 581, 60, 9, 0].map(countdown), ['10:00', '9:41', '1:00', '0:09', '0:00']);
});
