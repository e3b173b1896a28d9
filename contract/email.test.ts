import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processorMs } from '../test/kit/processor-time.ts';
import { normalizeEmail } from './email.ts';

test('an address is stored trimmed, in lower case, with its domain in punycode', () => {
  assert.equal(normalizeEmail(' Anna.B+wall@Example.ORG '), 'anna.b+wall@example.org');
  assert.equal(normalizeEmail('anna@Почта.РФ'), 'anna@xn--80a1acny.xn--p1ai');
  assert.equal(normalizeEmail('anna@xn--80a1acny.xn--p1ai'), 'anna@xn--80a1acny.xn--p1ai');
  assert.equal(
    normalizeEmail(`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(58)}.ru`)?.length,
    254,
  );
  assert.equal(normalizeEmail(`${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(59)}.ru`), undefined);
});

test('four thousand at-signs are checked in milliseconds', () => {
  for (const raw of ['@'.repeat(4_000), `a@${'a.'.repeat(2_000)}`, `${'a'.repeat(4_000)}@b.ru`, ' '.repeat(100_000)]) {
    assert.ok(processorMs(() => assert.equal(normalizeEmail(raw), undefined)) < 100);
  }
});
