import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { limits } from '#contract/limits.ts';
import {
  connection,
  last,
  openStreams,
  polled,
  pollingConnection,
  received,
  reset,
  respondToPoll,
  say,
  streams,
} from '../../../test/kit/web/sample-connection.ts';

beforeEach(reset);

describe('a stream', () => {
  test('opens when the page becomes visible and continues from the position of the page', (t) => {
    const live = connection(t);
    assert.equal(streams.length, 0);
    live.wake();
    live.wake();
    assert.deepEqual(
      streams.map(({ query }) => query),
      [{ after: '1' }],
    );
    say('2');
    say('3');
    assert.deepEqual(received, ['2', '3']);
  });

  test('closes while the page is hidden and then continues after the last event', (t) => {
    const live = connection(t);
    live.wake();
    say('2');
    live.sleep();
    assert.equal(openStreams(), 0);
    t.mock.timers.tick(600_000);
    assert.equal(streams.length, 1);
    live.wake();
    assert.deepEqual([openStreams(), last().query], [1, { after: '2' }]);
  });

  test('is opened again after a failure, with growing pauses of up to half a minute', (t) => {
    connection(t).wake();
    for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
      const before = streams.length;
      last().onFailure();
      assert.equal(openStreams(), 0);
      t.mock.timers.tick(pause - 1);
      assert.equal(streams.length, before, `${pause} ms`);
      t.mock.timers.tick(1);
      assert.equal(streams.length, before + 1, `${pause} ms`);
    }
  });

  test('resets the pauses when it receives an event', (t) => {
    connection(t).wake();
    last().onFailure();
    t.mock.timers.tick(1_000);
    say('2');
    last().onFailure();
    t.mock.timers.tick(1_000);
    assert.deepEqual([streams.length, last().query], [3, { after: '2' }]);
  });

  for (const [random, pause] of [
    [0, 500],
    [1, 1_500],
  ] as const) {
    test(`is opened again after a random pause, at one end of the range ${pause} ms`, (t) => {
      connection(t).wake();
      t.mock.method(Math, 'random', () => random);
      last().onFailure();
      t.mock.timers.tick(pause - 1);
      assert.equal(streams.length, 1);
      t.mock.timers.tick(1);
      assert.equal(streams.length, 2);
    });
  }

  test('counts as failed without a first event', (t) => {
    connection(t).wake();
    t.mock.timers.tick(limits.requestTimeoutMs);
    assert.equal(openStreams(), 0);
    t.mock.timers.tick(1_000);
    assert.equal(streams.length, 2);
  });

  test('is replaced after a long silence, without polling', (t) => {
    connection(t).wake();
    say('2');
    t.mock.timers.tick(120_000);
    assert.deepEqual([streams.length, openStreams(), last().query], [2, 1, { after: '2' }]);
    assert.equal(polled.length, 0);
  });
});

describe('a change of the signed-in person', () => {
  test('replaces the stream', (t) => {
    const live = connection(t);
    live.wake();
    say('2');
    live.restart();
    assert.deepEqual([streams.length, openStreams(), last().query], [2, 1, { after: '2' }]);
  });

  test('discards the response to an earlier request', async (t) => {
    const live = pollingConnection(t);
    live.restart();
    assert.deepEqual([polled.length, polled[0]!.signal.aborted], [1, true]);
    await respondToPoll('2');
    assert.deepEqual(received, []);
  });

  test('opens no stream while the page is hidden', (t) => {
    connection(t).restart();
    assert.equal(streams.length, 0);
  });
});

describe('a post on screen', () => {
  test('is named in a new stream, which replaces the first', (t) => {
    const live = connection(t);
    live.wake();
    live.watch('42');
    assert.deepEqual([openStreams(), last().query], [1, { after: '1', posts: '42' }]);
    live.watch(null);
    assert.deepEqual([openStreams(), last().query], [1, { after: '1' }]);
  });

  test('does not replace the stream when it stays the same', (t) => {
    const live = connection(t);
    live.watch('42');
    live.wake();
    live.watch('42');
    assert.equal(streams.length, 1);
  });

  test('opens no stream while the page is hidden', (t) => {
    connection(t).watch('42');
    assert.equal(streams.length, 0);
  });

  test('requests events again that are newer than the response with the post', (t) => {
    const live = connection(t);
    live.wake();
    say('2');
    live.watch(null);
    assert.deepEqual([openStreams(), last().query], [1, { after: '1' }]);
  });
});
