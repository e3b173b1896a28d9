import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plural } from './plural.ts';

test('a noun has the form that its number requires', () => {
  const answers = (count: number) => plural(count, ['ответ', 'ответа', 'ответов']);
  assert.deepEqual([1, 21, 101].map(answers), ['1 ответ', '21 ответ', '101 ответ']);
  assert.deepEqual([2, 4, 22].map(answers), ['2 ответа', '4 ответа', '22 ответа']);
  assert.deepEqual([0, 5, 11, 12, 14, 111].map(answers), [
    '0 ответов',
    '5 ответов',
    '11 ответов',
    '12 ответов',
    '14 ответов',
    '111 ответов',
  ]);
});
