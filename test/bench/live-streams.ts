import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createClient } from '#client/create-client.ts';
import type { Usage } from '../kit/node-process.ts';
import { shownPost } from '../kit/shown-post.ts';
import { count, kilobytes, median, milliseconds } from '../measurements/numbers.ts';
import { below, type Figure } from '../measurements/report.ts';
import { publishing } from '../measurements/requests.ts';
import { runSteadily } from '../measurements/run-load.ts';
import type { Scenario } from './rounds.ts';
import type { Readers } from './stream-readers.ts';

const posts = 10_000;
const feedPages = 2_000;
const published = 20;
const receivedUnderMs = 1_000;
const pages = 10_000;
/** Half of the pages show the feed, the others a discussion, each of which a few people read. */
const pagesPerDiscussion = 4;
const writesPerSecond = 25;
const eventsPerSecond = 4;
const coreUnder = 0.225;
const bytesUnder = 16_000;
/** A round contains more than twenty events. */
const minSeconds = 6;
/** Maximum time until the last event arrives. */
const lastEventMs = 1_000;

/** Many open pages: the memory that each takes, and the time until a new post has reached the last of them. */
export const liveReaders: Scenario = {
  name: 'live-readers',
  async measure({ servers }) {
    const { server, people } = await servers.writable(posts, 1);
    const call = createClient({ baseUrl: server.address, token: people[0]!.token });
    const empty = await server.usage();
    await using streams = await openStreams(
      server.port,
      Array.from({ length: feedPages }, () => '/api/v1/events'),
    );
    await sleep(lastEventMs);
    const before = await server.usage();
    const tookMs: number[] = [];
    for (let i = 0; i < published; i += 1) {
      const had = streams.events.slice();
      const begun = performance.now();
      shownPost(await call('POST /posts', { body: { text: `слушайте ${i}` } }));
      while (streams.events.some((n, page) => n === had[page])) await sleep(1);
      tookMs.push(performance.now() - begun);
    }
    return [
      below(
        `a new post has reached ${count(feedPages)} open pages`,
        Math.max(...tookMs),
        receivedUnderMs,
        `slowest of ${published}, from before the request to the last page; median ${milliseconds(median(tookMs))}`,
      ),
      memoryOf(feedPages, empty, before),
    ];
  },
};

/** Processor time that it takes to send 10,000 open pages what happens while people write, and the memory of each. */
export const manyStreams: Scenario = {
  name: 'many-streams',
  async measure({ servers, seconds }) {
    const { server, people } = await servers.writable(posts, 30);
    const write = () =>
      runSteadily({
        port: server.port,
        requests: publishing(people.map(({ token }) => token)),
        seconds: Math.max(minSeconds, seconds),
        connections: 4,
        perSecond: writesPerSecond,
      });
    await write();
    const empty = await server.usage();
    const paths = Array.from({ length: pages }, (_, i) => {
      return i % 2 === 0 ? '/api/v1/events' : `/api/v1/events?posts=${1 + Math.floor(i / 2 / pagesPerDiscussion)}`;
    });
    await using streams = await openStreams(server.port, paths);
    await sleep(lastEventMs);
    const before = await server.usage();
    const had = streams.events.slice();
    await write();
    await sleep(lastEventMs);
    const after = await server.usage();
    const received = streams.events.map((n, i) => n - had[i]!);
    const sent = Math.max(...received);
    const lacking = received.filter((n) => n < sent).length;
    const cpuPerEvent = (after.cpuMicroseconds - before.cpuMicroseconds) / sent;
    const share = (cpuPerEvent * eventsPerSecond) / 1e6;
    return [
      {
        what: `${count(pages)} open pages told of ${eventsPerSecond} events a second, processor time`,
        measured: `${share.toFixed(3)} of a core`,
        target: `< ${coreUnder} of a core`,
        ok: share < coreUnder && lacking === 0,
        detail: `${(cpuPerEvent / pages).toFixed(2)} µs for each page and event, ${sent} events, their posts included; ${lacking} pages lack one`,
      },
      memoryOf(pages, empty, before),
    ];
  },
};

function memoryOf(open: number, empty: Usage, full: Usage): Figure {
  const each = (full.memoryBytes - empty.memoryBytes) / open;
  const from = `resident memory with ${count(open)} of them and with none`;
  return below('memory per open page', each, bytesUnder, from, kilobytes);
}

/** Opens the event streams of these paths and counts what each receives, in a thread of its own. */
export async function openStreams(
  port: number,
  paths: readonly string[],
): Promise<AsyncDisposable & { events: Readers['events'] }> {
  const events = new Uint32Array(new SharedArrayBuffer(4 * paths.length));
  const workerData: Readers = { port, paths, events };
  const readers = new Worker(new URL('./stream-readers.ts', import.meta.url), { workerData });
  await once(readers, 'message');
  return {
    events,
    async [Symbol.asyncDispose]() {
      await readers.terminate();
    },
  };
}
