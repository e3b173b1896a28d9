import assert from 'node:assert/strict';
import { test } from 'node:test';
import { userFacts } from './user-facts.ts';

const summary = (count: number, date: string, now = '2030-01-01') =>
  userFacts(count, ['запись', 'записи', 'записей'], Date.parse(date) / 1_000, Date.parse(now) / 1_000);

test('the number of posts agrees with its noun', () => {
  const nouns = [0, 1, 2, 5, 11, 14, 21, 22, 101].map((count) => summary(count, '2026-01-01').split(' ')[1]);
  assert.deepEqual(nouns, [
    'записей',
    'запись',
    'записи',
    'записей',
    'записей',
    'записей',
    'запись',
    'записи',
    'запись',
  ]);
});

test('the month is in UTC', () => {
  assert.equal(summary(12, '2026-11-30T23:59:59Z'), '12 записей · на стене с ноября 2026 года');
  assert.equal(summary(12, '2027-01-01T00:00:00Z'), '12 записей · на стене с января 2027 года');
});

test('the year is left out while it lasts', () => {
  assert.equal(summary(12, '2026-03-01', '2026-12-31T23:59:59Z'), '12 записей · на стене с марта');
  assert.equal(summary(12, '2026-03-01', '2027-01-01T00:00:00Z'), '12 записей · на стене с марта 2026 года');
});
