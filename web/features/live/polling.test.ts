import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { limits } from '#contract/limits.ts';
import {
  connection,
  failPoll,
  last,
  polled,
  pollingConnection,
  received,
  reset,
  respondToPoll,
  say,
  streams,
} from '../../../test/kit/web/sample-connection.ts';

beforeEach(reset);

describe('polling', () => {
  test('begins after two failures in a row, while streams are still retried', async (t) => {
    connection(t).wake();
    last().onFailure();
    t.mock.timers.tick(1_000);
    assert.equal(polled.length, 0);
    last().onFailure();
    await respondToPoll('2');
    assert.deepEqual(received, ['2']);
    t.mock.timers.tick(2_000);
    assert.deepEqual([streams.length, last().query], [3, { after: '2' }]);
    last().onFailure();
    t.mock.timers.tick(limits.pollMs - 2_000);
    assert.deepEqual(
      polled.map(({ query }) => query.after),
      ['1', '2'],
    );
  });

  test('ends with the first event of a stream, and a late response is discarded', async (t) => {
    connection(t).wake();
    last().onFailure();
    t.mock.timers.tick(1_000);
    last().onFailure();
    t.mock.timers.tick(2_000);
    say('5');
    assert.equal(polled[0]!.signal.aborted, true);
    await respondToPoll('4');
    t.mock.timers.tick(limits.pollMs);
    assert.deepEqual([received, polled.length], [['5'], 1]);
  });

  test('continues after a failure', async (t) => {
    pollingConnection(t);
    await failPoll();
    t.mock.timers.tick(limits.pollMs);
    await respondToPoll('2');
    assert.deepEqual(received, ['2']);
  });

  test('ends while the page is hidden', async (t) => {
    const live = pollingConnection(t);
    await respondToPoll('2');
    t.mock.timers.tick(limits.pollMs);
    assert.equal(polled.length, 2);
    live.sleep();
    assert.equal(polled[1]!.signal.aborted, true);
    t.mock.timers.tick(limits.pollMs);
    assert.equal(polled.length, 2);
    live.wake();
    assert.deepEqual([polled.length, last().query], [2, { after: '2' }]);
  });

  test('asks for the replies of the post on screen', (t) => {
    const live = pollingConnection(t);
    live.watch('42');
    t.mock.timers.tick(limits.pollMs);
    assert.deepEqual(
      polled.map(({ query }) => query.posts),
      [undefined, '42'],
    );
  });
});
