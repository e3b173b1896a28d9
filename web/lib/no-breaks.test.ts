import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorMs } from '../../test/kit/processor-time.ts';
import { noBreaks } from './no-breaks.ts';

/** The text with a `~` for each non-breaking space. */
const shown = (text: string) => noBreaks(text).replaceAll('\u00a0', '~');

test('a one-letter word stays with the next one', () => {
  assert.equal(shown('Мы ездили в лес и к морю'), 'Мы ездили в~лес и~к~морю');
  assert.equal(shown('А я вижу: «О чём?»'), 'А~я~вижу: «О~чём?»');
  assert.equal(shown('Карта в '), 'Карта в~');
  assert.equal(shown('Бок о бок, с-к и всё'), 'Бок о~бок, с-к~и~всё');
});

test('a dash stays with the word before it', () => {
  assert.equal(shown('Чай — это жизнь, 10–12 раз'), 'Чай~— это жизнь, 10–12~раз');
  assert.equal(shown('Список:\n— чай\n— сахар'), 'Список:\n— чай\n— сахар');
});

test('a number stays with its noun', () => {
  assert.equal(shown('не больше 32 символов'), 'не больше 32~символов');
  assert.equal(shown('цена 1 000, in 5 miles'), 'цена 1 000, in 5 miles');
});

test('other languages, newlines and double spaces stay as they are', () => {
  const texts = ['a cat is I', 'в\nлес', 'в  лес', '— начало', ''];
  assert.deepEqual(texts.map(shown), texts);
});

test('a long hostile text takes no time', () => {
  for (const text of ['а ', '1 ', ' —', ' ']) assert.ok(processorMs(() => noBreaks(text.repeat(50_000))) < 1_000, text);
});
