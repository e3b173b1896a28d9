import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newCode, newOperationId } from './rules.ts';

const many = 20_000;

test('codes are six digits with leading zeros, evenly distributed', () => {
  const codes = Array.from({ length: many }, newCode);
  for (const code of codes) assert.match(code, /^\d{6}$/);
  for (let place = 0; place < 6; place += 1) {
    for (const digit of '0123456789') {
      const share = codes.filter((code) => code[place] === digit).length / many;
      assert.ok(Math.abs(share - 0.1) < 0.02, `${digit} is at place ${place} in ${share * 100} % of them`);
    }
  }
  assert.ok(new Set(codes).size > 0.97 * many, 'most codes differ');
});

test('an operation’s id is 128 random bits', () => {
  const ids = Array.from({ length: 1_000 }, newOperationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.equal(Buffer.from(id, 'base64url').length, 16);
});
