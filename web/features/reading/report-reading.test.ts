import assert from 'node:assert/strict';
import { beforeEach, test, type TestContext } from 'node:test';
import { createReadingReport } from './report-reading.ts';

const sent: string[] = [];
let isRefused = false;
beforeEach(() => {
  sent.length = 0;
  isRefused = false;
});

/** A report and a function that lets time pass. */
function start({ mock }: TestContext) {
  let now = 0;
  mock.timers.enable({ apis: ['setTimeout'] });
  mock.method(performance, 'now', () => now);
  const report = createReadingReport(async (list, postId) => {
    sent.push(`${list} ${postId}`);
    if (isRefused) throw new Error('no network');
  });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      now += 100;
      mock.timers.tick(100);
      await Promise.resolve();
    }
  };
  return { report, pass };
}

test('sends the first position at once and the furthest of the next ten seconds after them', async (t) => {
  const { report, pass } = start(t);
  report.want('feed', '5');
  await pass(100);
  assert.deepEqual(sent, ['feed 5']);
  report.want('feed', '6');
  await pass(5_000);
  report.want('feed', '7');
  await pass(4_800);
  assert.deepEqual(sent, ['feed 5']);
  await pass(300);
  assert.deepEqual(sent, ['feed 5', 'feed 7']);
  await pass(60_000);
  assert.equal(sent.length, 2);
});

test('sends what is waiting when the page is left', async (t) => {
  const { report, pass } = start(t);
  report.want('feed', '5');
  await pass(100);
  report.want('feed', '6');
  report.want('thread:1', '9');
  report.leave();
  assert.deepEqual(sent, ['feed 5', 'feed 6', 'thread:1 9']);
  report.leave();
  await pass(60_000);
  assert.equal(sent.length, 3);
});

test('writes at most six times a minute, however often the page is hidden', async (t) => {
  const { report, pass } = start(t);
  for (let step = 1; step <= 600; step += 1) {
    report.want(step % 3 === 0 ? 'thread:1' : 'feed', String(step));
    if (step % 7 === 0) report.leave();
    await pass(100);
  }
  assert.equal(sent.length, 6);
  await pass(60_000);
  assert.ok(sent.includes('feed 599'));
  assert.ok(sent.includes('thread:1 600'));
  assert.equal(new Set(sent).size, sent.length);
});

test('does not send what another device has reported', async (t) => {
  const { report, pass } = start(t);
  report.want('feed', '5');
  report.known('feed', '5');
  await pass(20_000);
  assert.deepEqual(sent, []);
  report.want('feed', '7');
  report.known('feed', '6');
  await pass(100);
  assert.deepEqual(sent, ['feed 7']);
});

test('sends a position again after a failure when the page is left', async (t) => {
  const { report, pass } = start(t);
  isRefused = true;
  report.want('feed', '5');
  await pass(60_000);
  assert.deepEqual(sent, ['feed 5']);
  isRefused = false;
  report.leave();
  await pass(100);
  report.leave();
  assert.deepEqual(sent, ['feed 5', 'feed 5']);
});

test('sends nothing of a reader who has left', async (t) => {
  const { report, pass } = start(t);
  report.want('feed', '5');
  report.forget();
  await pass(60_000);
  report.leave();
  assert.deepEqual(sent, []);
});
