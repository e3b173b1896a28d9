import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoteLines, withQuote } from './quote-lines.ts';

test('every line of a selected text is quoted, empty ones are left out', () => {
  assert.equal(quoteLines('  раз\n\n два\u00a0три \n'), '> раз\n> два три');
});

test('a long selection is cut after a word', () => {
  const quote = quoteLines('слово '.repeat(90));
  assert.ok(quote.length <= 204, `${quote.length}`);
  assert.match(quote, /^> (слово )+слово…$/);
  assert.ok([...quoteLines('ж'.repeat(500))].length <= 204);
});

test('a quotation comes below what was written before, once', () => {
  assert.equal(withQuote('', '> раз'), '> раз\n');
  const twice = withQuote('> раз\nНет.', '> два');
  assert.equal(twice, '> раз\nНет.\n\n> два\n');
  assert.equal(withQuote(twice, '> два'), twice);
});
