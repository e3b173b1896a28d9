import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { numberOf, recorded, type Run, writeRun } from './record.ts';
import { atLeast, below } from './report.ts';

const run = (figures: Run['figures']): Run => ({
  kind: 'bench',
  commit: 'abcdef012345',
  date: '2026-11-21T10:00Z',
  node: '26.0.0',
  machine: 'a machine',
  seconds: 2,
  figures,
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

test('writes a run that reads back the same', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stena-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'new/bench.json');
  const written = run([...feed(0.9), published!, slowest!]);
  writeRun(file, written);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), written);
});
