import { type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { ask } from '../../test/ask.ts';
import { freshPlace } from '../../test/engines.ts';
import { startServer } from '../../test/server-process.ts';
import { lacksNginx, startNginx } from '../kit/nginx.ts';
import { SlowClients, slowBody } from '../kit/slow-clients.ts';
import type { Extent, Trial } from '../trial.ts';

/** What takes nginx down that is set up as Debian has it. */
const streams = { short: 755, whole: 2_000 };
const clients = { short: ['127.0.0.2', '127.0.0.3'], whole: ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'] };
const reads = 100;
const openedWithinMs = 30_000;
const slowBodies = 50;
const bodiesGoneWithinMs = 20_000;
const goOnEveryMs = 500;

/** Few addresses keep hundreds of event streams open through nginx as it is published, and others read on. */
export const proxiedStreams: Trial = {
  name: 'proxied-streams',
  lacks: lacksNginx,
  async run(extent) {
    await using ending = new AsyncDisposableStack();
    const { place, remove } = await freshPlace('sqlite');
    ending.defer(remove);
    const server = await startServer(place, { TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' });
    ending.defer(() => server.stop());
    const nginx = await startNginx([server.address]);
    ending.defer(() => nginx.stop());
    const open: ClientRequest[] = [];
    ending.defer(() => open.forEach((one) => one.destroy()));
    return [await streamsAndReaders(nginx.port, extent, open), ...(await slowBodiesLeave(nginx.port, extent))];
  },
};

async function streamsAndReaders(port: number, extent: Extent, open: ClientRequest[]): Promise<Figure> {
  const from = clients[extent];
  const statuses = await Promise.all(
    Array.from({ length: streams[extent] }, (_, i) => openStream(port, from[i % from.length]!, open)),
  );
  const held = statuses.filter((status) => status === 200).length;
  let answered = 0;
  for (let i = 0; i < reads; i += 1)
    if ((await ask(`http://127.0.0.1:${port}/api/v1/posts`)).answered === 200) answered += 1;
  return {
    what: `${count(streams[extent])} event streams of ${from.length} addresses through nginx`,
    measured: `${count(held)} open, ${answered} of ${reads} reads answered`,
    target: 'all of both',
    ok: held === streams[extent] && answered === reads,
    detail: [...new Set(statuses)].join(', '),
  };
}

/** The status, or what went wrong. */
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
    asked.setTimeout(openedWithinMs, () => resolve('nothing'));
    asked.end();
    open.push(asked);
  });
}

/** Bodies that come byte by byte are let go by the server's own deadline; nginx must not gather them. */
async function slowBodiesLeave(port: number, extent: Extent): Promise<Figure[]> {
  if (extent === 'short') return [];
  const slow = await SlowClients.connect(port, slowBody, slowBodies);
  try {
    const began = performance.now();
    const passed = (): number => performance.now() - began;
    for (; passed() < bodiesGoneWithinMs && (await slow.open()) > 0; await sleep(goOnEveryMs)) slow.goOn();
    const left = await slow.open();
    return [
      {
        what: `${slowBodies} slow bodies through nginx`,
        measured: `${left} open after ${Math.round(passed() / 1_000)} s`,
        target: `0 after ${bodiesGoneWithinMs / 1_000} s`,
        ok: left === 0,
        detail: 'a byte now and then',
      },
    ];
  } finally {
    slow.leave();
  }
}
