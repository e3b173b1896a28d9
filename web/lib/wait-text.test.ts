import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondsIn, waitText, withSecondsLeft } from './wait-text.ts';

test('names a wait in its largest unit, rounded up', () => {
  const texts = [0.2, 1, 59, 60, 61, 3_599, 3_600, 3_601, 86_400].map(waitText);
  assert.deepEqual(texts, ['1 сек.', '1 сек.', '59 сек.', '1 мин.', '2 мин.', '60 мин.', '1 ч.', '2 ч.', '24 ч.']);
});

test('finds and counts down the seconds at the end of a text', () => {
  const text = 'Слишком часто. Повторить можно через 57 сек.';
  assert.equal(secondsIn(text), 57);
  assert.equal(withSecondsLeft(text, 56), 'Слишком часто. Повторить можно через 56 сек.');
  assert.equal(withSecondsLeft(text, 0), 'Слишком часто. Повторить можно уже сейчас.');
  for (const other of ['Повторить можно через 2 мин.', 'через 5 сек. Нет', 'Нет соединения.'])
    assert.equal(secondsIn(other), null);
});
