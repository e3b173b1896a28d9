import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeText } from './judge-text.ts';

test('the count shows from fifty characters left, and goes below nothing', () => {
  const left = (length: number) => judgeText('ж'.repeat(length)).left;
  assert.deepEqual([left(449), left(450), left(500), left(501)], [null, 50, 0, -1]);
});

test('characters are counted as people see them and as they will be kept', () => {
  assert.equal(judgeText('😀'.repeat(500)).left, 0);
  assert.equal(judgeText(`  ${'ж'.repeat(500)}\r\n`).left, 0);
  assert.equal(judgeText('и\u0306'.repeat(500)).left, 0);
});

test('an empty text is no text, without a word', () => {
  assert.deepEqual(judgeText(' \n '), { text: null, problem: null, left: null });
});

test('what cannot be seen or is too long says so', () => {
  assert.equal(judgeText('\u200d\u2800').problem, 'Введите текст записи.');
  assert.equal(judgeText('ж'.repeat(501)).problem, 'Текст длиннее 500 символов. Сократите его.');
  assert.match(judgeText('a\ud800').problem ?? '', /недопустимые символы/);
  assert.equal(judgeText('ж'.repeat(20_000)).text, null);
});
