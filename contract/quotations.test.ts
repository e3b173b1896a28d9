import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quotedLines, splitQuotations, withoutSigns } from './quotations.ts';

test('lines that begin with > are a quotation', () => {
  const text = 'Сначала\n> раз\n>два\n\nПотом 2 > 1\n>';
  const blocks = splitQuotations(text);
  assert.deepEqual(
    blocks.map((block) => [block.quoted, block.text]),
    [
      [false, 'Сначала\n'],
      [true, '> раз\n>два\n'],
      [false, '\nПотом 2 > 1\n'],
      [true, '>'],
    ],
  );
  for (const block of blocks) assert.equal(text.slice(block.at, block.at + block.text.length), block.text);
});

test('a text without quotations is one block', () => {
  assert.deepEqual(splitQuotations('а > б'), [{ quoted: false, text: 'а > б', at: 0 }]);
  assert.deepEqual(splitQuotations(''), []);
});

test('no other character than a line feed ends a line', () => {
  const text = '> а\u2028> б\r> в\n> г';
  const [quotation, ...others] = splitQuotations(text);
  assert.deepEqual([quotation, others], [{ quoted: true, text, at: 0 }, []]);
  assert.equal(withoutSigns(text), 'а\u2028> б\r> в\nг');
});

test('the lines of a quotation are known without their signs', () => {
  const [, quotation] = splitQuotations('а\n> раз\n>> два\n>');
  assert.equal(withoutSigns(quotation!.text), 'раз\n> два');
  assert.deepEqual(quotedLines(quotation!), [
    { sign: '> ', text: 'раз\n', at: 4 },
    { sign: '>', text: '> два\n', at: 9 },
    { sign: '>', text: '', at: 16 },
  ]);
});
