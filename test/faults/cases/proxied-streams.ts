import { type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '../../measurements/numbers.ts';
import type { Figure } from '../../measurements/report.ts';
import { ask } from '../../kit/ask.ts';
import { freshPlace } from '../../kit/engines.ts';
import { startServer } from '../../kit/server-process.ts';
import { lacksNginx, startProxy } from '../../kit/proxy.ts';
import { gone, SlowClients, slowBody } from '../kit/slow-clients.ts';
import { type Extent, type Fault, hangsAfterMs } from '../fault.ts';

/** The short form is enough to exhaust nginx with the connections that Debian configures. */
const streams = { short: 755, whole: 2_000 };
const clients = { short: ['127.0.0.2', '127.0.0.3'], whole: ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'] };
const reads = 100;
const slowBodies = 50;
const bodiesGoneWithinMs = 20_000;
const nextEveryMs = 500;

/** A few addresses keep hundreds of event streams open through nginx with the configuration of deploy/, while others read. */
export const proxiedStreams: Fault = {
  name: 'proxied-streams',
  lacks: lacksNginx,
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const { place } = cleanup.use(await freshPlace('sqlite'));
    const server = cleanup.use(await startServer(place, { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' }));
    const nginx = cleanup.use(await startProxy('nginx', [server.port], { plain: true }));
    const open: ClientRequest[] = [];
    cleanup.defer(() => open.forEach((one) => one.destroy()));
    return [await streamsAndReaders(nginx.port, extent, open), ...(await slowBodiesEnd(nginx.port, extent))];
  },
};

async function streamsAndReaders(port: number, extent: Extent, open: ClientRequest[]): Promise<Figure> {
  const from = clients[extent];
  const statuses = await Promise.all(
    Array.from({ length: streams[extent] }, (_, i) => openStream(port, from[i % from.length]!, open)),
  );
  const opened = statuses.filter((status) => status === 200).length;
  let succeeded = 0;
  for (let i = 0; i < reads; i += 1)
    if ((await ask(`http://127.0.0.1:${port}/api/v1/posts`)).outcome === 200) succeeded += 1;
  return {
    what: `${count(streams[extent])} event streams of ${from.length} addresses through nginx`,
    measured: `${count(opened)} open, ${succeeded} of ${reads} reads succeeded`,
    target: 'all of both',
    ok: opened === streams[extent] && succeeded === reads,
    detail: [...new Set(statuses)].join(', '),
  };
}

/** Resolves to the status or to an error message. */
function openStream(port: number, localAddress: string, open: ClientRequest[]): Promise<number | string> {
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
    open.push(asked);
  });
}

/** The deadline of the server ends bodies that arrive byte by byte, so nginx must not buffer them. */
async function slowBodiesEnd(port: number, extent: Extent): Promise<Figure[]> {
  if (extent === 'short') return [];
  const slow = await SlowClients.connect(port, slowBody, slowBodies);
  try {
    const began = performance.now();
    const passed = (): number => performance.now() - began;
    for (; passed() < bodiesGoneWithinMs && (await slow.open()) > 0; await sleep(nextEveryMs)) slow.next();
    const what = `${slowBodies} slow bodies through nginx`;
    return [gone(what, await slow.open(), passed(), bodiesGoneWithinMs, `a byte every ${nextEveryMs} ms`)];
  } finally {
    slow.close();
  }
}
