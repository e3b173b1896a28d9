import assert from 'node:assert/strict';
import { test } from 'node:test';
import { steadyClock } from './steady-clock.ts';

const hour = 3_600;
const day = 24 * hour;

test('a clock is steady only when it has not been set for a while', () => {
  const time = { elapsed: 1_000, now: 1_700_000_000 };
  const isSteady = steadyClock(
    () => time.now,
    hour,
    () => time.elapsed,
  );
  const pass = (seconds: number, setBy = 0): boolean => {
    time.elapsed += seconds;
    time.now += seconds + setBy;
    return isSteady();
  };

  assert.equal(pass(60), false, 'the clock is not steady right after the start');
  assert.equal(pass(hour), true);
  assert.equal(pass(60, 100 * day), false, 'set forward');
  assert.equal(pass(60, -100 * day), false, 'and back');
  assert.equal(pass(hour - 60), false);
  assert.equal(pass(60), true);
  assert.equal(pass(60, 4), true, 'a small drift does not count as setting');
  assert.equal(pass(60, -4), true);
});
