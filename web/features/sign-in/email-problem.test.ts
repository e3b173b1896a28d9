import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emailProblem } from './email-problem.ts';

test('requires a valid address', () => {
  assert.equal(emailProblem(''), 'Введите email');
  assert.equal(emailProblem('  '), 'Введите email');
  for (const text of ['anna', 'anna@', 'anna@example', 'anna@example.o', '@example.org', 'an na@example.org']) {
    assert.equal(emailProblem(text), 'Введите корректный email', text);
  }
  for (const text of ['anna@example.org', ' Anna@Example.ORG ', 'anna@почта.рф'])
    assert.equal(emailProblem(text), null, text);
});
