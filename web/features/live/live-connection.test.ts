import assert from 'node:assert/strict';
import { beforeEach, describe, type TestContext, test } from 'node:test';
import type { Changes } from '#contract/live.ts';
import { limits } from '#contract/limits.ts';
import { sampleChanges } from '../posts/store/sample-posts.ts';
import { createLiveConnection, type EventsQuery, type StreamListener } from './live-connection.ts';

interface TestStream extends StreamListener {
  query: EventsQuery;
  open: boolean;
}

let streams: TestStream[] = [];
let polled: Array<{ query: EventsQuery; signal: AbortSignal; answer: PromiseWithResolvers<Changes> }> = [];
let received: string[] = [];

/** With jitter in the middle of its range. */
function connection({ mock }: TestContext, knowsStreams = true) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  mock.method(Math, 'random', () => 0.5);
  mock.method(performance, 'now', () => 0);
  const openStream = (query: EventsQuery, listener: StreamListener) => {
    const stream = { query, open: true, ...listener };
    streams.push(stream);
    return () => void (stream.open = false);
  };
  return createLiveConnection({
    openStream: knowsStreams ? openStream : null,
    poll(query, signal) {
      const answer = Promise.withResolvers<Changes>();
      polled.push({ query, signal, answer });
      return answer.promise;
    },
    onChanges: ({ position }) => void received.push(position),
    position: '1',
  });
}

const last = () => streams.at(-1)!;
const openStreams = () => streams.filter(({ open }) => open).length;
const say = (position: string) => last().onChanges(sampleChanges({ position }));

async function answerPoll(position: string): Promise<void> {
  polled.at(-1)!.answer.resolve(sampleChanges({ position }));
  await settle();
}

async function failPoll(): Promise<void> {
  polled.at(-1)!.answer.reject(new Error('no network'));
  await settle();
}

const settle = () => new Promise<void>((done) => setImmediate(done));

beforeEach(() => {
  streams = [];
  polled = [];
  received = [];
});

describe('a stream', () => {
  test('goes on from where the page stands, once somebody looks', (t) => {
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

  test('is closed while nobody looks and goes on from what was heard last', (t) => {
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

  test('that fails is followed by another, ever later, up to half a minute', (t) => {
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

  test('that has spoken begins the pauses anew', (t) => {
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
    test(`comes back after a pause of its own, ${pause} ms at an end of the range`, (t) => {
      connection(t).wake();
      t.mock.method(Math, 'random', () => random);
      last().onFailure();
      t.mock.timers.tick(pause - 1);
      assert.equal(streams.length, 1);
      t.mock.timers.tick(1);
      assert.equal(streams.length, 2);
    });
  }

  test('that does not speak at once counts as failed', (t) => {
    connection(t).wake();
    t.mock.timers.tick(limits.requestTimeoutMs);
    assert.equal(openStreams(), 0);
    t.mock.timers.tick(1_000);
    assert.equal(streams.length, 2);
  });

  test('that has long been silent is replaced, without a word', (t) => {
    connection(t).wake();
    say('2');
    t.mock.timers.tick(120_000);
    assert.deepEqual([streams.length, openStreams(), last().query], [2, 1, { after: '2' }]);
    assert.equal(polled.length, 0);
  });
});

describe('when somebody else signs in', () => {
  test('another stream takes the place of the first', (t) => {
    const live = connection(t);
    live.wake();
    say('2');
    live.restart();
    assert.deepEqual([streams.length, openStreams(), last().query], [2, 1, { after: '2' }]);
  });

  test('what was asked for the one before is not heard', async (t) => {
    const live = connection(t, false);
    live.wake();
    live.restart();
    assert.deepEqual([polled.length, polled[0]!.signal.aborted], [2, true]);
    await answerPoll('2');
    assert.deepEqual(received, ['2']);
  });

  test('who sleeps is not woken', (t) => {
    connection(t).restart();
    assert.equal(streams.length, 0);
  });
});

describe('a post on screen', () => {
  test('is named, and another stream takes the place of the first', (t) => {
    const live = connection(t);
    live.wake();
    live.watch('42');
    assert.deepEqual([openStreams(), last().query], [1, { after: '1', posts: '42' }]);
    live.watch(null);
    assert.deepEqual([openStreams(), last().query], [1, { after: '1' }]);
  });

  test('that is the same one changes nothing', (t) => {
    const live = connection(t);
    live.watch('42');
    live.wake();
    live.watch('42');
    assert.equal(streams.length, 1);
  });

  test('does not wake who sleeps', (t) => {
    connection(t).watch('42');
    assert.equal(streams.length, 0);
  });

  test('came by an answer older than what was heard meanwhile: that is told again', (t) => {
    const live = connection(t);
    live.wake();
    say('2');
    live.watch(null);
    assert.deepEqual([openStreams(), last().query], [1, { after: '1' }]);
  });
});

describe('asking now and then', () => {
  test('begins with the second failure in a row, while streams are tried on', async (t) => {
    connection(t).wake();
    last().onFailure();
    t.mock.timers.tick(1_000);
    assert.equal(polled.length, 0);
    last().onFailure();
    await answerPoll('2');
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

  test('ends when a stream speaks, and a late answer is not heard', async (t) => {
    connection(t).wake();
    last().onFailure();
    t.mock.timers.tick(1_000);
    last().onFailure();
    t.mock.timers.tick(2_000);
    say('5');
    assert.equal(polled[0]!.signal.aborted, true);
    await answerPoll('4');
    t.mock.timers.tick(limits.pollMs);
    assert.deepEqual([received, polled.length], [['5'], 1]);
  });

  test('goes on after a failure', async (t) => {
    connection(t, false).wake();
    await failPoll();
    t.mock.timers.tick(limits.pollMs);
    await answerPoll('2');
    assert.deepEqual(received, ['2']);
  });

  test('is all there is where the browser knows no streams', async (t) => {
    const live = connection(t, false);
    live.wake();
    await answerPoll('2');
    t.mock.timers.tick(limits.pollMs);
    assert.equal(polled.length, 2);
    live.sleep();
    assert.equal(polled[1]!.signal.aborted, true);
    t.mock.timers.tick(limits.pollMs);
    assert.equal(polled.length, 2);
    live.wake();
    assert.deepEqual(polled[2]!.query, { after: '2' });
  });

  test('asks at once for a post that has come on screen', (t) => {
    const live = connection(t, false);
    live.wake();
    live.watch('42');
    assert.deepEqual(
      polled.map(({ query }) => query.posts),
      [undefined, '42'],
    );
    assert.equal(polled[0]!.signal.aborted, true);
  });
});
