import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactTime, machineTime, relativeTime } from './time.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const now = 1_795_000_000;

const ages: Array<[number, string]> = [
  [-3600, 'сейчас'],
  [0, 'сейчас'],
  [59, 'сейчас'],
  [minute, '1 мин.'],
  [hour - 1, '59 мин.'],
  [hour, '1 ч.'],
  [day - 1, '23 ч.'],
  [day, '1 дн.'],
  [7 * day - 1, '6 дн.'],
  [7 * day, '1 нд.'],
  [14 * day - 1, '1 нд.'],
  [28 * day, '4 нд.'],
  [30 * day - 1, '4 нд.'],
  [30 * day, '1 м.'],
  [59 * day, '1 м.'],
  [330 * day, '11 м.'],
  [365 * day - 1, '11 м.'],
  [365 * day, '1 г.'],
  [2 * 365 * day, '2 г.'],
  [4 * 365 * day, '4 г.'],
  [5 * 365 * day, '5 л.'],
  [11 * 365 * day, '11 л.'],
  [12 * 365 * day, '12 л.'],
  [14 * 365 * day, '14 л.'],
  [20 * 365 * day, '20 л.'],
  [21 * 365 * day, '21 г.'],
  [25 * 365 * day, '25 л.'],
  [100 * 365 * day, '100 л.'],
  [111 * 365 * day, '111 л.'],
  [121 * 365 * day, '121 г.'],
];

for (const [age, text] of ages) {
  test(`a post ${age} s old says '${text}'`, () => assert.equal(relativeTime(now - age, now), text));
}

test('the exact time is the local one, written out', () => {
  const noon = new Date(2026, 10, 20, 12, 34).getTime() / 1000;
  assert.equal(exactTime(noon, noon + 365 * day), '20 ноября 2026 г., 12:34');
  assert.equal(exactTime(noon, noon - 365 * day), '20 ноября 2026 г., 12:34');
});

test('midnight is 00, single digits of the clock are padded, those of the day are not', () => {
  const night = new Date(2027, 0, 5, 0, 7).getTime() / 1000;
  assert.equal(exactTime(night, night + 365 * day), '5 января 2027 г., 00:07');
});

test('a time of this year has no year', () => {
  const newYear = new Date(2027, 0, 1, 0, 0).getTime() / 1000;
  assert.equal(exactTime(newYear, newYear + 364 * day), '1 января, 00:00');
  assert.equal(exactTime(newYear - 60, newYear), '31 декабря 2026 г., 23:59');
});

test('the machine-readable time is in UTC', () => {
  assert.equal(machineTime(0), '1970-01-01T00:00:00.000Z');
});
