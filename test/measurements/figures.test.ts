import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { compare } from './compare.ts';
import { fill, isFilled } from './fill.ts';
import { merge } from './merge.ts';
import { numberOf, readRun, recorded, type Run, writeRun } from './record.ts';
import { atLeast, below, none } from './report.ts';

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

const feed = (ratio: number) =>
  recorded('feed', [atLeast('feed page', ratio, 0.75, '× raw', { detail: 'CPU 14.0 µs', parts: { cpu: '14.0 µs' } })]);
const publishing = recorded('publish', [
  atLeast('posts published', 12_000, 5_000, '/s', { detail: 'CPU 75 µs' }),
  below('slowest', 31, 50, 'of 5'),
]);
const both = { bench: run([...feed(0.9), ...publishing]), faults: undefined };

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

test('shows two runs side by side with the change of each figure', () => {
  const lines = compare(run(feed(0.8), { commit: 'before' }), run(feed(0.9), { commit: 'after' })).split('\n');
  assert.match(lines.at(-3)!, /\| what +\| before +\| after +\| change +\| target/);
  assert.match(
    lines.at(-1)!,
    /\| feed: feed page \| 0\.800 × raw \| 0\.900 × raw \| \+12\.5 % \| ≥ 0\.75 × raw \| ok +\|/,
  );
});

test('names the scenarios that only one of two runs has', () => {
  const lines = compare(run(feed(0.9), { commit: 'before' }), run([...feed(0.9), ...publishing])).split('\n');
  assert.ok(lines.includes('Only in abcdef012345: publish'));
  assert.equal(lines.filter((line) => line.startsWith('Only in')).length, 1);
  assert.equal(
    lines.some((line) => line.includes('posts published')),
    false,
  );
});

test('puts a figure that only one of two runs has beside a dash', () => {
  const [published, slowest] = publishing;
  const lines = compare(run([published!]), run([slowest!])).split('\n');
  assert.match(
    lines.find((line) => line.includes('posts published'))!,
    /\| 12,000\/s +\| – +\| – /,
  );
  assert.match(
    lines.find((line) => line.includes('slowest'))!,
    /\| – +\| 31 ms +\| – /,
  );
});

test('gives no change between figures of different units', () => {
  const [figure] = feed(0.9);
  const other = { ...figure!, measured: '14 µs', ...numberOf('14 µs') };
  assert.match(
    compare(run([figure!]), run([other]))
      .split('\n')
      .at(-1)!,
    /\| 0\.900 × raw +\| 14 µs +\| +\|/,
  );
});

test('says what else differs between two runs', () => {
  const text = compare(run([]), run([], { machine: 'another', seconds: 1, kind: 'faults' }));
  assert.match(text, /machines differ/);
  assert.match(text, /rounds differ/);
  assert.match(text, /different kinds/);
  assert.doesNotMatch(compare(run([]), run([])), /differ/);
});

test('fills tables, figures and their parts in a document', () => {
  const document = [
    'Of <!-- figure bench --><!-- /figure -->:',
    '<!-- figures bench feed -->',
    'old',
    '<!-- /figures -->',
    'It reads at <!-- figure bench feed -->0<!-- /figure --> for <!-- figure bench feed cpu -->0<!-- /figure -->',
    'and writes in <!-- figure bench publish/2 --><!-- /figure -->.',
  ].join('\n');
  const filled = fill(document, both);
  assert.match(filled, /Of <!-- figure bench -->2026-11-21, commit abcdef0, a machine<!-- \/figure -->:/);
  assert.match(filled, /\| feed page \| 0\.900 × raw \| ≥ 0\.75 × raw \| ok +\| CPU 14\.0 µs \|/);
  assert.doesNotMatch(filled, /old|posts published/);
  assert.match(filled, /-->0\.900 × raw<!-- \/figure --> for <!-- figure bench feed cpu -->14\.0 µs</);
  assert.match(filled, /publish\/2 -->31 ms</);
  assert.equal(fill(filled, both), filled);
  assert.match(fill('<!-- figures bench --><!-- /figures -->', both), /posts published/);
});

test('notices a document whose figures are not those of the run, but not the width of its columns', () => {
  const filled = fill('<!-- figures bench feed --><!-- /figures -->', both);
  assert.equal(isFilled(filled, both), true);
  assert.equal(
    isFilled(filled.replaceAll('| feed page |', '| feed page      |').replace('---', '-------'), both),
    true,
  );
  assert.equal(isFilled(filled.replace('0.900', '0.950'), both), false);
});

test('leaves the places of a kind that has no run as they are', () => {
  const document = '<!-- figure faults mixed-load -->217 ms<!-- /figure -->';
  assert.equal(fill(document, both), document);
});

test('refuses unknown figures and misspelt places', () => {
  assert.throws(() => fill('<!-- figure bench unknown --><!-- /figure -->', both), /no scenario “unknown”/);
  assert.throws(() => fill('<!-- figure bench feed p50 --><!-- /figure -->', both), /no figure “feed p50”/);
  assert.throws(() => fill('<!-- figure bench publish/3 --><!-- /figure -->', both), /no figure “publish\/3”/);
  assert.throws(() => fill('<!-- figure bench feed -->0', both), /misspelt/);
  assert.throws(() => fill('<!-- figure benches feed -->0<!-- /figure -->', both), /misspelt/);
});

test('puts faults that are measured again into the run of all of them, each with its own date', () => {
  const order = ['disk', 'network', 'power'];
  const lost = (fault: string, count: number) => recorded(fault, [none('lost', count, 'lost', '')]);
  const all = run([...lost('disk', 3), ...lost('power', 0), ...lost('abolished', 0)], { kind: 'faults' });
  const again = run([...lost('network', 0), ...lost('disk', 0)], {
    kind: 'faults',
    commit: '999999999999',
    date: '2026-11-22T10:00Z',
  });
  const merged = merge(all, again, order);
  assert.deepEqual(
    merged.figures.map(({ scenario, value }) => [scenario, value]),
    [
      ['disk', 0],
      ['network', 0],
      ['power', 0],
    ],
  );
  const filled = fill('<!-- figures faults --><!-- /figures -->', {
    bench: undefined,
    faults: merge(merged, again, order),
  });
  assert.match(filled, /`disk` +\| lost \| 0 lost +\| 0 +\| ok +\| 2026-11-22, 9999999 \|/);
  assert.match(filled, /`power` +\| lost \| 0 lost +\| 0 +\| ok +\| 2026-11-21, abcdef0 \|/);
});

test('writes a run that reads back the same', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stena-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'new/bench.json');
  writeRun(file, both.bench);
  assert.deepEqual(readRun(file), both.bench);
});
