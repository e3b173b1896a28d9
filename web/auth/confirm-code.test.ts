import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeIn, isWholeCode } from './confirm-code.ts';

test('what is no digit is dropped before the cut, and leading zeros stay', () => {
  assert.equal(codeIn('код 12-34 56'), '123456');
  assert.equal(codeIn('Ваш код: 004210.'), '004210');
  assert.equal(codeIn('12345678'), '123456');
  assert.equal(codeIn('ноль'), '');
  assert.equal(codeIn('٣١٢'), '');
});

test('a code is whole at six digits', () => {
  assert.equal(isWholeCode('00000'), false);
  assert.equal(isWholeCode('000000'), true);
});
