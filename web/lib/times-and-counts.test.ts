import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { browserName, deviceName, lastActive, systemName } from '../features/devices/describe-session.ts';
import { countdown, plural, secondsIn, shortCount, userFacts, waitText, withRemainingSeconds } from './counts.ts';
import { exactTime, machineTime, relativeTime } from './time.ts';

const [hour, day, year] = [3_600, 86_400, 365 * 86_400];

test('an age is in whole units, rounded down', () => {
  const units: Array<[number[], string]> = [
    [[-hour, 0, 59, 60, hour - 1, hour, day - 1, day], 'сейчас сейчас сейчас 1 мин. 59 мин. 1 ч. 23 ч. 1 дн.'],
    [[7 * day - 1, 7 * day, 14 * day - 1, 28 * day, 30 * day - 1], '6 дн. 1 нд. 1 нд. 4 нд. 4 нд.'],
    [[30 * day, 60 * day - 1, 330 * day, year - 1], '1 м. 1 м. 11 м. 11 м.'],
    [
      [1, 4, 5, 11, 12, 14, 20, 21, 25, 111, 121].map((n) => n * year),
      '1 г. 4 г. 5 л. 11 л. 12 л. 14 л. 20 л. 21 г. 25 л. 111 л. 121 г.',
    ],
  ];
  for (const [ages, texts] of units) assert.equal(ages.map((age) => relativeTime(2e9 - age, 2e9)).join(' '), texts);
});

test('the exact time is the local one, written out, with the year unless it is this one', () => {
  const at = (...local: [number, number, number, number, number]) => new Date(...local).getTime() / 1_000;
  const [noon, night, newYear] = [at(2026, 10, 20, 12, 34), at(2027, 0, 5, 0, 7), at(2027, 0, 1, 0, 0)];
  assert.equal(exactTime(noon, noon + year), '20 ноября 2026 г., 12:34');
  assert.equal(exactTime(noon, noon - year), '20 ноября 2026 г., 12:34');
  assert.equal(exactTime(night, night + year), '5 января 2027 г., 00:07');
  assert.equal(exactTime(newYear, newYear + 364 * day), '1 января, 00:00');
  assert.equal(exactTime(newYear - 60, newYear), '31 декабря 2026 г., 23:59');
  assert.equal(machineTime(0), '1970-01-01T00:00:00.000Z');
});

test('a count has one decimal, never exceeds the number and is less than a tenth of the unit below it', () => {
  const counts = [0, 999, 1_000, 1_099, 1_100, 1_299, 10_000, 999_999, 1e6, 15_650_000, 1e9, 999_999_999_999, 1e12];
  const texts = '0|999|1 тыс.|1 тыс.|1,1 тыс.|1,2 тыс.|10 тыс.|999,9 тыс.|1 млн.|15,6 млн.|1 млрд.|999,9 млрд.|1 трлн.';
  assert.equal(counts.map(shortCount).join('|'), texts);
  const units: Record<string, number> = { '': 1, 'тыс.': 1e3, 'млн.': 1e6, 'млрд.': 1e9, 'трлн.': 1e12 };
  fc.assert(
    fc.property(fc.maxSafeNat(), (count) => {
      const [digits = '', name = ''] = shortCount(count).split(' ');
      const unit = units[name] ?? NaN;
      const said = Math.round(Number(digits.replace(',', '.')) * 10) * (unit / 10);
      assert.ok(said <= count && count - said < Math.max(1, unit / 10), `${count}: ${digits} ${name}`);
    }),
  );
});

test('a noun has the form that its number requires', () => {
  const of = (...counts: number[]) => counts.map((count) => plural(count, ['ответ', 'ответа', 'ответов'])).join();
  assert.equal(of(1, 21, 101), '1 ответ,21 ответ,101 ответ');
  assert.equal(of(2, 4, 22), '2 ответа,4 ответа,22 ответа');
  assert.equal(of(0, 5, 11, 12, 14, 111), '0 ответов,5 ответов,11 ответов,12 ответов,14 ответов,111 ответов');
});

test('a person’s page counts their posts and names the month of their coming in UTC, its year once that is over', () => {
  const facts = (count: number, from: string, now: string) =>
    userFacts(count, ['запись', 'записи', 'записей'], Date.parse(from) / 1_000, Date.parse(now) / 1_000);
  assert.equal(facts(21, '2026-11-30T23:59:59Z', '2030-01-01'), '21 запись · на стене с ноября 2026 года');
  assert.equal(facts(2, '2026-01-01T00:00:00Z', '2026-12-31T23:59:59Z'), '2 записи · на стене с января');
  assert.equal(facts(12, '2026-03-01', '2027-01-01T00:00:00Z'), '12 записей · на стене с марта 2026 года');
});

test('a wait is in its largest unit, rounded up; seconds at the end of a text are counted down', () => {
  const texts = '1 сек. 1 сек. 59 сек. 1 мин. 2 мин. 60 мин. 1 ч. 2 ч. 24 ч.';
  assert.equal([0.2, 1, 59, 60, 61, 3_599, 3_600, 3_601, 86_400].map(waitText).join(' '), texts);
  const text = 'Слишком часто. Повторить можно через 57 сек.';
  assert.equal(secondsIn(text), 57);
  assert.equal(withRemainingSeconds(text, 56), 'Слишком часто. Повторить можно через 56 сек.');
  assert.equal(withRemainingSeconds(text, 0), 'Слишком часто. Повторить можно уже сейчас.');
  for (const other of ['Повторить можно через 2 мин.', 'через 5 сек. Нет', 'Нет соединения.'])
    assert.equal(secondsIn(other), null);
  assert.equal([600, 581, 60, 9, 0].map(countdown).join(), '10:00,9:41,1:00,0:09,0:00');
});

test('a device is named by its browser and major version, with its last activity in whole units', () => {
  assert.equal(deviceName({ userAgent: 'Chrome', userAgentVersion: '142.0.7444.60', os: 'Windows 11' }), 'Chrome 142');
  assert.equal(deviceName({ userAgent: 'Firefox', userAgentVersion: '', os: '' }), 'Firefox');
  assert.deepEqual([browserName(''), systemName('')], ['Неизвестный браузер', 'Неизвестная система']);
  const texts = [1_059, 1_060, 1_000 + 3 * day, 940].map((now) => lastActive(1_000, now));
  assert.deepEqual(texts, ['только что', '1 мин. назад', '3 дн. назад', 'только что']);
});
