import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offeredUsername } from './offered-username.ts';

test('the username offered comes from the part of the address before the sign @', () => {
  assert.equal(offeredUsername('anya.petrova@example.org'), 'anya_petrova');
  assert.equal(offeredUsername('Анна.Щукина@example.org'), 'anna_schukina');
  assert.equal(offeredUsername('anya.petrova+wall@example.org'), 'anya_petrova');
  assert.equal(offeredUsername('_anya--petrova_@example.org'), 'anya_petrova');
  assert.equal(offeredUsername(`${'anna.'.repeat(10)}@example.org`), `${'anna_'.repeat(6)}an`);
  assert.equal(offeredUsername(`${'ann.'.repeat(10)}@example.org`), `${'ann_'.repeat(7)}ann`);
  for (const email of ['anya@example.org', '"  "@example.org', '王小明@example.org', '']) {
    assert.equal(offeredUsername(email), undefined, email);
  }
});
