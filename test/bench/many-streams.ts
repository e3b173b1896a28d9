import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { count, kilobytes } from '../measurements/numbers.ts';
import { below, type Figure } from '../measurements/report.ts';
import { publishing } from '../measurements/requests.ts';
import { runSteadily } from '../measurements/run-load.ts';
import type { Bench, Scenario } from './scenario.ts';
import type { Readers } from './stream-readers.ts';

const posts = 10_000;
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

/** Processor time that it takes to send 10,000 open pages what happens while people write. */
export const manyStreams: Scenario = {
  name: 'many-streams',
  async measure({ servers, seconds }: Bench): Promise<Figure[]> {
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
    const { events, readers } = await openReaders(server.port);
    await sleep(lastEventMs);
    const before = await server.usage();
    const had = events.slice();
    await write();
    await sleep(lastEventMs);
    const after = await server.usage();
    const received = events.map((n, i) => n - had[i]!);
    const sent = Math.max(...received);
    const lacking = received.filter((n) => n < sent).length;
    const cpuPerEvent = (after.cpuMicroseconds - before.cpuMicroseconds) / sent;
    const share = (cpuPerEvent * eventsPerSecond) / 1e6;
    await readers.terminate();
    return [
      {
        what: `${count(pages)} open pages told of ${eventsPerSecond} events a second, processor time`,
        measured: `${share.toFixed(3)} of a core`,
        target: `< ${coreUnder} of a core`,
        ok: share < coreUnder && lacking === 0,
        detail: `${(cpuPerEvent / pages).toFixed(2)} µs for each page and event, ${sent} events, their posts included; ${lacking} pages lack one`,
      },
      below(
        'memory per open page',
        (before.memoryBytes - empty.memoryBytes) / pages,
        bytesUnder,
        `resident memory with ${count(pages)} of them and with none`,
        kilobytes,
      ),
    ];
  },
};

async function openReaders(port: number): Promise<{ events: Readers['events']; readers: Worker }> {
  const events = new Uint32Array(new SharedArrayBuffer(4 * pages));
  const paths = Array.from({ length: pages }, (_, i) => {
    return i % 2 === 0 ? '/api/v1/events' : `/api/v1/events?posts=${1 + Math.floor(i / 2 / pagesPerDiscussion)}`;
  });
  const workerData: Readers = { port, paths, events };
  const readers = new Worker(new URL('./stream-readers.ts', import.meta.url), { workerData });
  await once(readers, 'message');
  return { events, readers };
}
