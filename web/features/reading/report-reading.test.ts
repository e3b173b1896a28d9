import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { isInMiddle } from './watch-read.ts';
import { createReadingReport } from './report-reading.ts';
import { withReading } from './reading.ts';
import { isRunning } from './visit.ts';

/** A report, what it has sent, and a function that lets time pass. */
function start({ mock }: TestContext) {
  let now = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => now);
  const sent: string[] = [];
  const network = { fails: false };
  const report = createReadingReport(async (list, postId) => {
    sent.push(`${list} ${postId}`);
    if (network.fails) throw new Error('no network');
  });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      now += 100;
      mock.timers.tick(100);
      await Promise.resolve();
    }
  };
  return { ...report, sent, network, pass };
}

test('sends the first position at once and the furthest of the next ten seconds after them', async (t) => {
  const { want, pass, sent } = start(t);
  want('feed', '5');
  await pass(100);
  assert.deepEqual(sent, ['feed 5']);
  want('feed', '6');
  await pass(5_000);
  want('feed', '7');
  await pass(4_800);
  assert.deepEqual(sent, ['feed 5']);
  await pass(300);
  assert.deepEqual(sent, ['feed 5', 'feed 7']);
  await pass(60_000);
  assert.equal(sent.length, 2);
});

test('sends what is waiting when the page is left, and a position again that could not be sent', async (t) => {
  const { want, leave, pass, sent, network } = start(t);
  network.fails = true;
  want('feed', '5');
  await pass(60_000);
  assert.deepEqual(sent, ['feed 5']);
  network.fails = false;
  leave();
  await pass(100);
  want('feed', '6');
  want('thread:1', '9');
  for (let times = 0; times < 2; times += 1) leave();
  await pass(60_000);
  assert.deepEqual(sent, ['feed 5', 'feed 5', 'feed 6', 'thread:1 9']);
});

test('writes at most six times a minute, however often the page is hidden', async (t) => {
  const { want, leave, pass, sent } = start(t);
  for (let step = 1; step <= 600; step += 1) {
    want(step % 3 === 0 ? 'thread:1' : 'feed', String(step));
    if (step % 7 === 0) leave();
    await pass(100);
  }
  assert.equal(sent.length, 6);
  await pass(60_000);
  assert.ok(sent.includes('feed 599'));
  assert.ok(sent.includes('thread:1 600'));
  assert.equal(new Set(sent).size, sent.length);
});

test('sends neither what another device has reported nor what a reader has read who has left', async (t) => {
  const { want, known, forget, leave, pass, sent } = start(t);
  want('feed', '5');
  known('feed', '5');
  await pass(20_000);
  assert.deepEqual(sent, []);
  want('feed', '7');
  known('feed', '6');
  await pass(100);
  assert.deepEqual(sent, ['feed 7']);
  want('feed', '8');
  forget();
  await pass(60_000);
  leave();
  assert.equal(sent.length, 1);
});

test('a card is read in the middle of the window, or when it fills half of that; the first and the last at the edges', () => {
  const page = { height: 800, covered: 60, above: 5_000, below: 5_000 };
  const [atTop, atEnd] = [
    { ...page, above: 0 },
    { ...page, below: 0 },
  ];
  for (const [top, height, place, edge, isRead] of [
    [350, 100, page, 0.25, true],
    [150, 100, page, 0.25, true],
    [149, 100, page, 0.25, false],
    [550, 100, page, 0.25, true],
    [551, 100, page, 0.25, false],
    [900, 100, page, 0.25, false],
    [-1_600, 2_000, page, 0.25, true],
    [-1_601, 2_000, page, 0.25, false],
    [70, 100, page, 0.25, false],
    [70, 100, atTop, 0.25, true],
    [0, 100, atTop, 0.25, false],
    [700, 100, page, 0.25, false],
    [700, 100, atEnd, 0.25, true],
    [750, 100, page, 0, true],
    [751, 100, page, 0, false],
    [10, 100, page, 0, true],
    [9, 100, page, 0, false],
    [430, 2_000, page, 0, true],
    [431, 2_000, page, 0, false],
  ] as const) {
    const card = { top, bottom: top + height };
    assert.equal(isInMiddle(card, place, edge), isRead, JSON.stringify([card, place, edge]));
  }
});

test('a visit lasts until nothing was read for half an hour, for one reader, by a clock that is right', () => {
  const visit = { reader: '7', line: '5', at: 100_000 };
  for (const [stored, reader, now, is] of [
    [visit, '7', 100_000 + 29 * 60, true],
    [visit, '7', 100_000 + 30 * 60, false],
    [visit, '7', 100_000 - 86_400, false],
    [visit, '', 100_000, false],
    [null, '7', 100_000, false],
  ] as const) {
    assert.equal(isRunning(stored, reader, now), is);
  }
});

test('positions never go back; those of the feed and of the two hundred discussions read last are stored', () => {
  assert.deepEqual(withReading([], 'feed', '9'), [['feed', '9']]);
  assert.deepEqual(withReading([['feed', '9']], 'feed', '10'), [['feed', '10']]);
  assert.deepEqual(withReading([['feed', '10']], 'feed', '9'), [['feed', '10']]);
  let stored = withReading([], 'feed', '1000');
  for (let root = 1; root <= 205; root += 1) stored = withReading(stored, `thread:${root}`, '1000');
  stored = withReading(stored, 'thread:6', '2000');
  const lists = stored.map(([list]) => list);
  assert.deepEqual([stored.length, lists[0], lists[1]], [201, 'thread:6', 'feed']);
  assert.deepEqual([lists.includes('thread:205'), lists.includes('thread:5')], [true, false]);
  assert.equal(withReading(stored, 'feed', '2000').length, 201);
});
