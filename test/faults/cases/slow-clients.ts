import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { count, megabytes, milliseconds, percentile } from '../../measurements/numbers.ts';
import type { Figure } from '../../measurements/report.ts';
import { freshPlace } from '../../kit/engines.ts';
import { type ServerProcess, startServer } from '../../kit/server-process.ts';
import { Readers } from '../kit/readers.ts';
import { gone, slowBody, SlowClients, slowHeaders, slowReading } from '../kit/slow-clients.ts';
import { type Extent, type Fault, limitOf } from '../fault.ts';

const clients = { short: 300, whole: 600 };
/** Each fills megabytes of the system's buffers, which all connections of the machine share. */
const pausedClients = { short: 50, whole: 200 };
const sendingEndsWithinMs = 18_000;
/** The server lets a reader pause for a minute. */
const readingEndsWithinMs = 90_000;
const nextEveryMs = 500;
const perClient = 'one connection per client';
const slowestUnderMs = 100;
/** Share of the requests that may be slower: the first ones open a connection, and a busy machine delays others. */
const ignoredShare = 1 / 1_000;
/** The second attack must not need more memory than the first. */
const attacks = 2;
const growsAtMost = 0.1;

/** Hundreds of clients send or read a byte now and then. They are disconnected, and other readers are not affected. */
export const slowClients: Fault = {
  name: 'slow-clients',
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const { place } = cleanup.use(await freshPlace('sqlite'));
    const server = cleanup.use(await startServer(place, { LOG_LEVEL: 'error' }));
    const readers = new Readers(`http://127.0.0.1:${server.port}`);
    cleanup.defer(() => readers.stop());
    const sending = await slowSenders(server.port, extent);
    // The short form ends before the server disconnects slow readers.
    const reading = extent === 'whole' ? await slowReaders(server, pausedClients.whole) : [];
    return [...sending, ...reading, await others(readers, limitOf(extent, slowestUnderMs))];
  },
};

/** All three kinds at once. The slow readers stay connected. */
async function slowSenders(port: number, extent: Extent): Promise<Figure[]> {
  const many = clients[extent];
  const withinMs = limitOf(extent, sendingEndsWithinMs);
  const paused = await SlowClients.connect(port, slowReading(largeFile()), pausedClients[extent]);
  const senders = {
    'slow headers': await SlowClients.connect(port, slowHeaders, many),
    'slow bodies': await SlowClients.connect(port, slowBody, many),
  };
  const all = [paused, ...Object.values(senders)];
  try {
    const began = performance.now();
    const passed = (): number => performance.now() - began;
    const open = async () => (await Promise.all(Object.values(senders).map((some) => some.open()))).some((n) => n > 0);
    while (passed() < withinMs && (await open())) await next(all);
    const tookMs = passed();
    return await Promise.all(
      Object.entries(senders).map(async ([what, some]) =>
        gone(`${many} × ${what}`, await some.open(), tookMs, withinMs, perClient),
      ),
    );
  } finally {
    for (const some of all) some.close();
  }
}

async function slowReaders(server: ServerProcess, many: number): Promise<Figure[]> {
  const memory: number[] = [];
  let open = 0;
  for (let i = 0; i < attacks; i += 1) {
    const paused = await SlowClients.connect(server.port, slowReading(largeFile()), many);
    try {
      for (const end = performance.now() + readingEndsWithinMs; performance.now() < end;) await next([paused]);
      open = Math.max(open, await paused.open());
    } finally {
      paused.close();
    }
    memory.push((await server.usage()).memoryBytes);
  }
  const [first, second] = memory as [number, number];
  const growth = second / first - 1;
  return [
    gone(`${many} × slow reading`, open, readingEndsWithinMs, readingEndsWithinMs, perClient),
    {
      what: 'memory after a second attack by slow readers',
      measured: `${growth < 0 ? '' : '+'}${Math.round(growth * 100)} %`,
      target: `≤ +${growsAtMost * 100} %`,
      ok: growth <= growsAtMost,
      detail: `${megabytes(first)} after the first, ${megabytes(second)} after the second`,
    },
  ];
}

async function next(all: readonly SlowClients[]): Promise<void> {
  for (const some of all) some.next();
  await sleep(nextEveryMs);
}

async function others(readers: Readers, underMs: number): Promise<Figure> {
  await readers.stop();
  const { tookMs, wrong } = readers;
  for (const fault of wrong) console.error(fault);
  const slowest = percentile(tookMs, 1 - ignoredShare);
  return {
    what: 'other readers beside slow clients',
    measured: milliseconds(slowest),
    target: `< ${milliseconds(underMs)}`,
    ok: wrong.length === 0 && slowest < underMs,
    detail: `${count(tookMs.length)} requests, ${wrong.length} wrong; slowest except one in a thousand; max ${milliseconds(readers.slowestMs)}`,
  };
}

/** The largest file of the web app; no response is larger. */
function largeFile(): string {
  const folder = fileURLToPath(new URL('../../../dist/web/assets', import.meta.url));
  return `/assets/${readdirSync(folder).find((name) => /^main-.*\.js$/.test(name))!}`;
}
