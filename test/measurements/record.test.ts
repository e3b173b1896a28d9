import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { compare, numberOf, readRun, recorded, type Run, writeRun } from './record.ts';
import { atLeast, below } from './report.ts';

const run = (figures: Run['figures'], other: Partial<Run> = {}): Run => ({
  kind: 'bench',
  commit: 'abcdef012345',
  date: '2026-11-21T10:00Z',
  node: '26.0.0',
  machine: 'a machine',
  seconds: 2,
  figures,
  ...other,
});

const feed = (ratio: number) => recorded('feed', [atLeast('feed page', ratio, 0.75, '× raw', 'CPU 14.0 µs')]);
const [published, slowest] = recorded('publish', [
  atLeast('posts published', 12_000, 5_000, '/s', 'CPU 75 µs'),
  below('slowest', 31, 50, 'of 5'),
]);

test('separates the number of a figure from its unit', () => {
  assert.deepEqual(numberOf('0.632 × alone'), { value: 0.632, unit: '× alone' });
  assert.deepEqual(numberOf('12,000/s'), { value: 12_000, unit: '/s' });
  assert.deepEqual(numberOf('p99 33 ms'), { value: 33, unit: 'ms' });
  assert.deepEqual(numberOf('-1.4 %'), { value: -1.4, unit: '%' });
  assert.deepEqual(numberOf('0 lost'), { value: 0, unit: 'lost' });
  for (const several of ['3 faults, 2 wrong responses', '2 of 2 in the right format', '0, 0, 0', 'not run']) {
    assert.deepEqual(numberOf(several), { value: null, unit: '' }, several);
  }
});

test('shows two runs side by side with the change of each figure, and a dash where one has none', () => {
  const before = run([...feed(0.8), published!], { commit: 'before' });
  const after = run([...feed(0.9), slowest!], { commit: 'after' });
  assert.deepEqual(compare(before, after).split('\n').slice(-5), [
    '| what                     | before      | after       | change  | target       |    |',
    '|--------------------------|-------------|-------------|---------|--------------|----|',
    '| feed: feed page          | 0.800 × raw | 0.900 × raw | +12.5 % | ≥ 0.75 × raw | ok |',
    '| publish: posts published | 12,000/s    | –           | –       | ≥ 5,000/s    | –  |',
    '| publish: slowest         | –           | 31 ms       | –       | < 50 ms      | ok |',
  ]);
  const inAnotherUnit = run([{ ...feed(0.9)[0]!, measured: '14 µs', ...numberOf('14 µs') }]);
  assert.match(compare(before, inAnotherUnit), /\| 0\.800 × raw +\| 14 µs +\| +\|/);
});

test('says what else differs between two runs', () => {
  const both = run(feed(0.9), { commit: 'before' });
  const lines = compare(both, run([...feed(0.9), published!])).split('\n');
  assert.deepEqual(
    lines.filter((line) => line.includes('publish')),
    ['Only in abcdef012345: publish'],
  );
  const text = compare(both, run([], { machine: 'another', seconds: 1, kind: 'faults' }));
  for (const difference of [/machines differ/, /rounds differ/, /different kinds/]) assert.match(text, difference);
  assert.doesNotMatch(compare(both, both), /differ|Only in/);
});

test('writes a run that reads back the same', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stena-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'new/bench.json');
  const written = run([...feed(0.9), published!, slowest!]);
  writeRun(file, written);
  assert.deepEqual(readRun(file), written);
});
