import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shortCount } from './counts.ts';

const counts: Array<[number, string]> = [
  [0, '0'],
  [1, '1'],
  [999, '999'],
  [1_000, '1 тыс.'],
  [1_099, '1 тыс.'],
  [1_100, '1,1 тыс.'],
  [1_200, '1,2 тыс.'],
  [1_299, '1,2 тыс.'],
  [10_000, '10 тыс.'],
  [999_899, '999,8 тыс.'],
  [999_999, '999,9 тыс.'],
  [1_000_000, '1 млн.'],
  [15_650_000, '15,6 млн.'],
  [999_999_999, '999,9 млн.'],
  [1_000_000_000, '1 млрд.'],
  [2_300_000_000, '2,3 млрд.'],
  [999_999_999_999, '999,9 млрд.'],
  [1_000_000_000_000, '1 трлн.'],
  [Number.MAX_SAFE_INTEGER, '9007,1 трлн.'],
];

for (const [count, text] of counts) {
  test(`${count} is '${text}'`, () => assert.equal(shortCount(count), text));
}

test('never exceeds the count and is less than a tenth of the unit below it', () => {
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
