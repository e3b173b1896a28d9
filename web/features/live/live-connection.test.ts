import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Changes } from '#contract/live.ts';
import { limits } from '#contract/limits.ts';
import { sampleChanges } from '../../../test/kit/web/sample-posts.ts';
import { createLiveConnection, createPositions, type EventsQuery, type StreamListener } from './live-connection.ts';

/** A connection whose random pauses have their mean length. */
function connect({ mock }: TestContext, random = 0.5) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  mock.method(Math, 'random', () => random);
  mock.method(performance, 'now', () => 0);
  const streams: Array<StreamListener & { query: EventsQuery; open: boolean }> = [];
  const polled: Array<{ query: EventsQuery; signal: AbortSignal; response: PromiseWithResolvers<Changes> }> = [];
  const received: string[] = [];
  const last = () => streams.at(-1)!;
  const live = createLiveConnection({
    openStream(query, listener) {
      const stream = { query, open: true, ...listener };
      streams.push(stream);
      return () => void (stream.open = false);
    },
    poll(query, signal) {
      const response = Promise.withResolvers<Changes>();
      polled.push({ query, signal, response });
      return response.promise;
    },
    onChanges: ({ position }) => void received.push(position),
    position: '1',
  });
  const pass = (ms: number): void => mock.timers.tick(ms);
  const fail = (): void => last().onFailure();
  return {
    live,
    polled,
    received,
    pass,
    fail,
    say: (position: string): void => last().onChanges(sampleChanges({ position })),
    /** Compares the number of streams so far, the number of open ones, and the query of the last stream. */
    has: (count: number, open: number, query?: EventsQuery) =>
      assert.deepEqual(
        [streams.length, streams.filter((stream) => stream.open).length, streams.at(-1)?.query],
        [count, open, query ?? streams.at(-1)?.query],
      ),
    /** Two streams fail, so that the connection polls. */
    failTwice(): void {
      live.wake();
      fail();
      pass(1_000);
      assert.equal(polled.length, 0);
      fail();
    },
    async respond(position: string | null): Promise<void> {
      const { resolve, reject } = polled.at(-1)!.response;
      if (position === null) reject(new Error('no network'));
      else resolve(sampleChanges({ position }));
      await turn();
    },
  };
}

describe('a stream', () => {
  test('opens when the page becomes visible, closes while it is hidden and continues after the last event', (t) => {
    const { live, say, has, pass, received } = connect(t);
    live.restart();
    live.watch('42');
    live.watch(null);
    has(0, 0);
    live.wake();
    live.wake();
    has(1, 1, { after: '1' });
    say('2');
    say('3');
    assert.deepEqual(received, ['2', '3']);
    live.sleep();
    pass(600_000);
    has(1, 0);
    live.wake();
    has(2, 1, { after: '3' });
  });

  test('is opened again after a failure, with growing pauses of up to half a minute, which an event resets', (t) => {
    const { live, say, has, pass, fail } = connect(t);
    live.wake();
    for (const [times, pause] of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
      fail();
      pass(pause - 1);
      has(times + 1, 0);
      pass(1);
      has(times + 2, 1);
    }
    say('2');
    fail();
    pass(1_000);
    has(9, 1, { after: '2' });
  });

  for (const [random, pause] of [
    [0, 500],
    [1, 1_500],
  ] as const) {
    test(`is opened again after a random pause, at one end of the range ${pause} ms`, (t) => {
      const { live, has, pass, fail } = connect(t, random);
      live.wake();
      fail();
      pass(pause - 1);
      has(1, 0);
      pass(1);
      has(2, 1);
    });
  }

  test('counts as failed without a first event, and is replaced after a long silence, without polling', (t) => {
    const { live, say, has, pass, polled } = connect(t);
    live.wake();
    pass(limits.requestTimeoutMs);
    has(1, 0);
    pass(1_000);
    has(2, 1);
    say('2');
    pass(120_000);
    has(3, 1, { after: '2' });
    assert.equal(polled.length, 0);
  });

  test('is replaced for another person, and for another post on screen with what is newer than its response', (t) => {
    const { live, say, has } = connect(t);
    live.watch('42');
    live.wake();
    live.watch('42');
    has(1, 1, { after: '1', posts: '42' });
    live.watch(null);
    has(2, 1, { after: '1' });
    say('2');
    live.restart();
    has(3, 1, { after: '2' });
    live.watch(null);
    has(4, 1, { after: '1' });
  });
});

describe('polling', () => {
  test('begins after two failures in a row, goes on after a failure, and asks for the replies on screen', async (t) => {
    const { live, failTwice, respond, has, pass, fail, polled, received } = connect(t);
    failTwice();
    await respond('2');
    pass(2_000);
    has(3, 1, { after: '2' });
    fail();
    pass(limits.pollMs - 2_000);
    await respond(null);
    live.watch('42');
    pass(limits.pollMs);
    await respond('3');
    assert.deepEqual(
      polled.map(({ query }) => query),
      [{ after: '1' }, { after: '2' }, { after: '1', posts: '42' }],
    );
    assert.deepEqual(received, ['2', '3']);
  });

  for (const [what, end] of [
    ['with the first event of a stream', (it) => (it.pass(2_000), it.say('5'), it.pass(limits.pollMs))],
    ['for another person', (it) => it.live.restart()],
    ['while the page is hidden', (it) => (it.live.sleep(), it.pass(limits.pollMs))],
  ] as Array<[string, (it: ReturnType<typeof connect>) => void]>) {
    test(`ends ${what}, and a late response is discarded`, async (t) => {
      const it = connect(t);
      it.failTwice();
      end(it);
      const before = [...it.received];
      assert.deepEqual([it.polled.length, it.polled[0]!.signal.aborted], [1, true]);
      await it.respond('4');
      assert.deepEqual(it.received, before);
    });
  }
});

test('positions go back to before a response could have been requested, not after a silence', () => {
  for (const [received, now, isElsewhere, latest] of [
    [[], 0, false, '1'],
    [[2, 0, 3, 60_000], 70_000, false, '3'],
    [[2, 0, 3, 4_000, 4, 11_000, 5, 13_000], 14_500, true, '3'],
    [[2, 0], 10_000, false, '2'],
    // A repeated position counts from its first receipt.
    [[2, 0, 2, 9_000], 10_000, false, '2'],
  ] as const) {
    const positions = createPositions('1');
    for (let i = 0; i < received.length; i += 2) positions.note(`${received[i]}`, received[i + 1]!);
    assert.equal(positions.latest(), `${received.at(-2) ?? 1}`);
    assert.deepEqual([positions.rewind(now), positions.latest()], [isElsewhere, latest]);
  }
});
