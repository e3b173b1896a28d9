import assert from 'node:assert/strict';
import { test } from 'node:test';

const { default: report } = (await import(import.meta.resolve('./storage-reporter.mjs'))) as {
  default: (source: Iterable<object>) => AsyncIterable<string>;
};

const file = `${import.meta.dirname}/one.test.ts`;
const passed = (name: string, nesting: number, type = 'test') => ({
  type: 'test:pass',
  data: { name, nesting, file, details: { type } },
});
const failed = (name: string, nesting: number, error: object, type = 'test') => ({
  type: 'test:fail',
  data: { name, nesting, file, details: { type, error } },
});

test('the table of the storage suite names each group and, of one that fails, the tests with their causes', async () => {
  const refused = Object.assign(new Error('it failed'), { cause: new Error('LISTEN is not supported\nat line 1') });
  const events = [
    passed('writes', 1),
    passed('reads', 1),
    passed('transactions', 0, 'suite'),
    passed('hears', 1),
    failed('listens', 1, { message: 'failed', cause: refused }),
    failed('announcements', 0, { failureType: 'subtestsFailed' }, 'suite'),
    passed('counts', 0),
  ];
  const lines = (await Array.fromAsync(report(events))).join('').split('\n');
  assert.deepEqual(lines.slice(0, 4), [
    'holds (2)          scripts/one.test.ts: transactions',
    'FAILS (1 of 2)     scripts/one.test.ts: announcements',
    '                   listens: LISTEN is not supported',
    'holds (1)          scripts/one.test.ts: counts',
  ]);
  assert.equal(lines.at(-2), '2 groups hold, 1 fail');
});
