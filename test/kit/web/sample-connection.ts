import type { TestContext } from 'node:test';
import type { Changes } from '#contract/live.ts';
import { sampleChanges } from './sample-posts.ts';
import {
  createLiveConnection,
  type EventsQuery,
  type StreamListener,
} from '../../../web/features/live/live-connection.ts';

interface TestStream extends StreamListener {
  query: EventsQuery;
  open: boolean;
}

export const streams: TestStream[] = [];
export const polled: Array<{ query: EventsQuery; signal: AbortSignal; response: PromiseWithResolvers<Changes> }> = [];
export const received: string[] = [];

/** A connection whose random pauses have their mean length. */
export function connection({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  mock.method(Math, 'random', () => 0.5);
  mock.method(performance, 'now', () => 0);
  const openStream = (query: EventsQuery, listener: StreamListener) => {
    const stream = { query, open: true, ...listener };
    streams.push(stream);
    return () => void (stream.open = false);
  };
  return createLiveConnection({
    openStream,
    poll(query, signal) {
      const response = Promise.withResolvers<Changes>();
      polled.push({ query, signal, response });
      return response.promise;
    },
    onChanges: ({ position }) => void received.push(position),
    position: '1',
  });
}

/** A connection whose streams fail, so that it polls. */
export function pollingConnection(t: TestContext) {
  const live = connection(t);
  live.wake();
  last().onFailure();
  t.mock.timers.tick(1_000);
  last().onFailure();
  return live;
}

export const last = () => streams.at(-1)!;
export const openStreams = () => streams.filter(({ open }) => open).length;
export const say = (position: string) => last().onChanges(sampleChanges({ position }));

export async function respondToPoll(position: string): Promise<void> {
  polled.at(-1)!.response.resolve(sampleChanges({ position }));
  await nextTurn();
}

export async function failPoll(): Promise<void> {
  polled.at(-1)!.response.reject(new Error('no network'));
  await nextTurn();
}

const nextTurn = () => new Promise<void>((done) => setImmediate(done));

export function reset(): void {
  for (const list of [streams, polled, received]) list.length = 0;
}
