import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, megabytes, milliseconds, percentile, sum } from '../../measurements/numbers.ts';
import { below, type Figure, none } from '../../measurements/report.ts';
import { ask } from '../../kit/ask.ts';
import { freshStorage } from '../../kit/engines.ts';
import { root } from '../../kit/node-process.ts';
import { lacksNginx, startProxy } from '../../kit/proxy.ts';
import { type ServerProcess, startServer } from '../../kit/server-process.ts';
import { Readers } from '../kit/load.ts';
import { exactly, type Extent, type Fault, hangsAfterMs, limitOf, until, within } from '../fault.ts';

const clients = { short: 300, whole: 600 };
/** Each fills megabytes of the system's buffers, which all connections of the machine share. */
const pausedClients = { short: 50, whole: 200 };
const sendingEndsWithinMs = 18_000;
/** The server lets a reader pause for a minute. */
const readingEndsWithinMs = 90_000;
const nextEveryMs = 500;
const slowestUnderMs = 100;
/** Share of the requests that may be slower: the first ones open a connection, and a busy machine delays others. */
const ignoredShare = 1 / 1_000;
/** The second attack must not need more memory than the first. */
const attacks = 2;
const growsAtMost = 0.1;
/** A client that reads nothing does not notice at once that it was disconnected. */
const noticeMs = 2_000;

/** Hundreds of clients send or read a byte now and then. They are disconnected, and other readers are not affected. */
const slowClients: Fault = {
  name: 'slow-clients',
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const { storage } = cleanup.use(await freshStorage('sqlite'));
    const server = cleanup.use(await startServer(storage, { LOG_LEVEL: 'error' }));
    const readers = new Readers(`http://127.0.0.1:${server.port}`);
    cleanup.defer(() => readers.stop());
    const sending = await slowSenders(server.port, extent);
    // The short form ends before the server disconnects slow readers.
    const reading = extent === 'whole' ? await slowReaders(server, pausedClients.whole) : [];
    await readers.stop();
    const { tookMs, wrong } = readers;
    const slowest = percentile(tookMs, 1 - ignoredShare);
    const detail = `${count(tookMs.length)} requests; wrong: ${wrong.join()}; max ${milliseconds(readers.slowestMs)}`;
    const what = 'other readers beside slow clients';
    const others = within(extent, what, slowest, slowestUnderMs, detail, wrong.length === 0);
    return [...sending, ...reading, others];
  },
};

/** All three kinds at once. The slow readers stay connected. */
async function slowSenders(port: number, extent: Extent): Promise<Figure[]> {
  const many = clients[extent];
  await using paused = await SlowClients.connect(port, slowReading(), pausedClients[extent]);
  await using headers = await SlowClients.connect(port, slowHeaders, many);
  await using bodies = await SlowClients.connect(port, slowBody, many);
  return disconnected({ [`${many} × slow headers`]: headers, [`${many} × slow bodies`]: bodies }, extent, [paused]);
}

async function slowReaders(server: ServerProcess, many: number): Promise<Figure[]> {
  const memory: number[] = [];
  let open = 0;
  for (let i = 0; i < attacks; i += 1) {
    await using paused = await SlowClients.connect(server.port, slowReading(), many);
    for (const end = performance.now() + readingEndsWithinMs; performance.now() < end; await sleep(nextEveryMs))
      paused.next();
    paused.resume();
    await sleep(noticeMs);
    open = Math.max(open, paused.open);
    paused.close();
    memory.push((await server.usage()).memoryBytes);
  }
  const [first, second] = memory as [number, number];
  return [
    gone(`${many} × slow reading`, open, readingEndsWithinMs, readingEndsWithinMs),
    below(
      'growth of memory after a second attack by slow readers',
      second / first - 1,
      growsAtMost,
      `${megabytes(first)} after the first, ${megabytes(second)} after the second`,
      (growth) => `${Math.round(growth * 100)} %`,
    ),
  ];
}

/** The server disconnects all of these clients in time, while they go on. */
async function disconnected(
  slow: Record<string, SlowClients>,
  extent: Extent,
  others: readonly SlowClients[] = [],
  promisedMs = sendingEndsWithinMs,
): Promise<Figure[]> {
  const all = Object.values(slow);
  const withinMs = limitOf(extent, promisedMs);
  const areGone = (): boolean => {
    for (const some of [...all, ...others]) some.next();
    return sum(all.map(({ open }) => open)) === 0;
  };
  const tookMs = await until(areGone, { withinMs, everyMs: nextEveryMs });
  return Object.entries(slow).map(([what, { open }]) => gone(what, open, Math.min(tookMs, withinMs), withinMs));
}

const gone = (what: string, open: number, tookMs: number, withinMs: number): Figure =>
  none(what, open, `open after ${Math.round(tookMs / 1_000)} s`, `a byte every ${nextEveryMs} ms`, {
    target: `0 after ${withinMs / 1_000} s`,
  });

/** The first bytes of a slow client, and its repeated action. */
interface Slowness {
  first: string;
  next(socket: Socket): void;
  /** It reads nothing except in `next`. */
  isPaused?: true;
}

/** slowhttptest -H: headers that never end. */
const slowHeaders: Slowness = {
  first: 'GET / HTTP/1.1\r\nHost: x\r\n',
  next: (socket) => socket.write('x-a: b\r\n'),
};

/** slowhttptest -B: a body that comes a byte at a time. */
const slowBody: Slowness = {
  first: 'POST /api/v1/logins HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n',
  next: (socket) => socket.write(' '),
};

/** slowhttptest -X: the largest file of the web app, larger than the system's buffers, read a byte at a time. */
function slowReading(): Slowness {
  const file = readdirSync(join(root, 'dist/web/assets')).find((name) => /^main-.*\.js$/.test(name))!;
  return {
    first: `GET /assets/${file} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(30),
    next: (socket) => socket.read(1),
    isPaused: true,
  };
}

class SlowClients implements AsyncDisposable {
  #slowness: Slowness;
  #sockets: Socket[];

  private constructor(slowness: Slowness, sockets: Socket[]) {
    this.#slowness = slowness;
    this.#sockets = sockets;
  }

  static async connect(port: number, slowness: Slowness, many: number): Promise<SlowClients> {
    const sockets = Array.from({ length: many }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => {});
      if (slowness.isPaused) socket.pause();
      else socket.resume();
      socket.write(slowness.first);
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return new SlowClients(slowness, sockets);
  }

  next(): void {
    for (const socket of this.#sockets) if (socket.writable) this.#slowness.next(socket);
  }

  resume(): void {
    for (const socket of this.#sockets) socket.resume();
  }

  /** Number of open connections. */
  get open(): number {
    return this.#sockets.filter((socket) => !socket.destroyed).length;
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }
}

/** The short form is enough to exhaust nginx with the connections that Debian configures. */
const streams = { short: 755, whole: 2_000 };
const addresses = { short: ['127.0.0.2', '127.0.0.3'], whole: ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'] };
const reads = 100;
const slowBodies = 50;
const bodiesGoneWithinMs = 20_000;

/** A few addresses keep hundreds of event streams open through nginx with the configuration of deploy/, while others read. */
const proxiedStreams: Fault = {
  name: 'proxied-streams',
  lacks: lacksNginx,
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const { storage } = cleanup.use(await freshStorage('sqlite'));
    const server = cleanup.use(await startServer(storage, { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' }));
    const { port } = cleanup.use(await startProxy('nginx', [server.port], { plain: true }));
    const asked: ClientRequest[] = [];
    cleanup.defer(() => asked.forEach((one) => one.destroy()));
    const [many, from] = [streams[extent], addresses[extent]];
    const opening = Array.from({ length: many }, (_, i) => openStream(port, from[i % from.length]!, asked));
    const statuses = await Promise.all(opening);
    const opened = statuses.filter((status) => status === 200).length;
    let succeeded = 0;
    for (let i = 0; i < reads; i += 1)
      if ((await ask(`http://127.0.0.1:${port}/api/v1/posts`)).outcome === 200) succeeded += 1;
    const streaming = exactly(
      `${count(many)} event streams of ${from.length} addresses through nginx, and ${reads} reads`,
      [opened, succeeded],
      [many, reads],
      [...new Set(statuses)].join(', '),
    );
    if (extent === 'short') return [streaming];
    // The deadline of the server ends bodies that arrive byte by byte, so nginx must not buffer them.
    await using slow = await SlowClients.connect(port, slowBody, slowBodies);
    const what = `${slowBodies} slow bodies through nginx`;
    return [streaming, ...(await disconnected({ [what]: slow }, extent, [], bodiesGoneWithinMs))];
  },
};

/** Resolves to the status or to an error message. */
function openStream(port: number, localAddress: string, all: ClientRequest[]): Promise<number | string> {
  return new Promise((resolve) => {
    const headers = { accept: 'text/event-stream' };
    const options = { host: '127.0.0.1', port, localAddress, path: '/api/v1/events', headers, agent: false };
    const asked = request(options, (response) => {
      response.resume();
      response.on('error', () => {});
      resolve(response.statusCode!);
    });
    asked.on('error', ({ message }) => resolve(message));
    asked.setTimeout(hangsAfterMs, () => resolve('no response'));
    asked.end();
    all.push(asked);
  });
}

export const manyClients = [slowClients, proxiedStreams];
