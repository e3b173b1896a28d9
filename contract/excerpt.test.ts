import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerpt } from './excerpt.ts';

test('a short text is not cut, but becomes one line', () => {
  assert.equal(excerpt('Доброе утро', 11), 'Доброе утро');
  assert.equal(excerpt('Раз\n\nдва\nтри', 60), 'Раз два три');
});

test('a long text is cut between words', () => {
  assert.equal(excerpt('Сегодня первый снег и тишина', 20), 'Сегодня первый снег…');
  assert.equal(excerpt('Сегодня первый снег', 14), 'Сегодня первый…');
});

test('one long word is cut inside, never inside a character', () => {
  assert.equal(excerpt('длинноесловобезпробелов', 7), 'длинное…');
  assert.equal(excerpt('😀😀😀😀', 5), '😀😀…');
});
