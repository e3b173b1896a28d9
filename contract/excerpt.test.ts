import assert from 'node:assert/strict';
import { test } from 'node:test';
import { excerpt, folded } from './excerpt.ts';

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

test('only a text that is longer than people can write is folded, after twelve lines or as much as fills them', () => {
  const word = 'слово ';
  assert.equal(folded('😀\n'.repeat(250)), null);
  assert.equal(folded(word.repeat(100).trim()), null);
  assert.equal(folded(word.repeat(1_000)), `${word.repeat(116).trim()}…`);
  assert.equal(folded(`${word}\n`.repeat(100)), `${`${word}\n`.repeat(11)}${word}…`);
  assert.equal(folded('я'.repeat(1_000)), `${'я'.repeat(700)}…`);
});
