import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeText } from './judge-text.ts';

test('counts from fifty characters left to below zero', () => {
  const left = (length: number) => judgeText('ж'.repeat(length)).left;
  assert.deepEqual([left(449), left(450), left(500), left(501)], [null, 50, 0, -1]);
});

test('counts characters as people see them and as they are stored', () => {
  assert.equal(judgeText('😀'.repeat(500)).left, 0);
  assert.equal(judgeText(`  ${'ж'.repeat(500)}\r\n`).left, 0);
  assert.equal(judgeText('и\u0306'.repeat(500)).left, 0);
});

test('rejects an empty text without a message', () => {
  assert.deepEqual(judgeText(' \n '), { text: null, problem: null, left: null });
});

test('explains why an invisible or too long text is rejected', () => {
  assert.equal(judgeText('\u200d\u2800').problem, 'Введите текст записи.');
  assert.equal(judgeText('ж'.repeat(501)).problem, 'Текст длиннее 500 символов. Сократите его.');
  assert.match(judgeText('a\ud800').problem ?? '', /недопустимые символы/);
  assert.equal(judgeText('ж'.repeat(20_000)).text, null);
});
