import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUsername } from './username.ts';

test('a username is 5 to 32 ASCII letters, digits and underscores', () => {
  for (const name of ['anna_', 'ANNA_1', '_____', '12345', 'x'.repeat(32)]) assert.ok(isUsername(name), name);
  for (const name of [
    '',
    'anna',
    'x'.repeat(33),
    'anna-b',
    'anna b',
    'аннаа',
    '\u212aelvin',
    'ſsssss',
    'anna1\n',
    '１２３４５',
  ])
    assert.ok(!isUsername(name), name);
});
