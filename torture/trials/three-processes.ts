import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { freshPlace, type Place } from '../../test/engines.ts';
import { freePort } from '../../test/free-port.ts';
import { type ServerProcess, startServer } from '../../test/server-process.ts';
import { startMailServer } from '../../test/smtp.ts';
import { BusyWall } from '../kit/busy-wall.ts';
import { audit, kept } from '../kit/ledger.ts';
import { oneDoor } from '../kit/one-door.ts';
import { SECRET, signedInPeople } from '../kit/people.ts';
import { proxies, type ProxyName, startProxy } from '../kit/proxies.ts';
import { Visitors } from '../kit/visitors.ts';
import type { Extent, Trial } from '../trial.ts';

const writers = 18;
const visitors = 6;
const atLeast = { short: 20, whole: 1_000 };
const lossesOf = { short: [0], whole: [0, 1, 2, 0, 1, 2] } satisfies Record<Extent, number[]>;
/** Between one thing and the next. */
const calmMs = { short: 300, whole: 1_000 };
const behind = { SECRET, TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'fatal' };

/** Three processes on one PostgreSQL behind a real proxy are one wall, also when one of them is lost or replaced. */
export const threeProcesses: Trial = {
  name: 'three-processes',
  async lacks() {
    const missing = (['nginx', 'openssl'] as const).filter((program) => !isInstalled(program));
    return missing.length > 0 ? `${missing.join(', ')} not installed` : undefined;
  },
  async run(extent) {
    const figures: Figure[] = [];
    for (const proxy of extent === 'short' ? (['nginx'] as const) : proxies) {
      if (isInstalled(proxy)) figures.push(await door(proxy), ...(await underLoad(proxy, extent)));
      else figures.push({ what: proxy, measured: 'not tried', target: 'tried', ok: false, detail: 'not installed' });
    }
    return figures;
  },
};

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function door(proxyName: ProxyName): Promise<Figure> {
  await using cleanup = new AsyncDisposableStack();
  const mail = await startMailServer();
  cleanup.defer(() => mail.close());
  const { proxy } = await three(cleanup, proxyName, { SMTP_URL: mail.url, CODE_RESEND_SECONDS: '0' });
  return await oneDoor(`limits, codes and sessions behind ${proxyName}`, proxy.address, mail);
}

async function underLoad(proxyName: ProxyName, extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const { place, servers, start, proxy } = await three(cleanup, proxyName, { RATE_LIMITS: 'off' });
  const people = await signedInPeople(place, writers + visitors);
  const wall = new BusyWall([proxy.address, proxy.address, proxy.address], people.slice(visitors));
  const reading = new Visitors(proxy.address, people.slice(0, visitors));
  await wall.busy();

  const failed = (): number =>
    [...wall.answersBut(201).values()].reduce((sum, times) => sum + times, 0) + reading.failures.length;

  /** Ends a process, starts it again, and counts what failed meanwhile beside what was in flight when it ended. */
  async function replace(i: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<[failures: number, inFlight: number]> {
    const before = failed();
    const inFlight = wall.inFlight + reading.inFlight;
    await servers[i]!.stop(signal);
    await sleep(calmMs[extent]);
    servers[i] = await start(i);
    await sleep(calmMs[extent]);
    return [failed() - before, inFlight];
  }

  const killed: Array<[number, number]> = [];
  const stopped: Array<[number, number]> = [];
  for (const i of lossesOf[extent]) killed.push(await replace(i, 'SIGKILL'));
  for (const i of lossesOf[extent]) stopped.push(await replace((i + 1) % 3, 'SIGTERM'));
  await wall.stop();
  await reading.stop();
  const failuresAtStops = sum(stopped.map(([failures]) => failures));
  return [
    kept(
      `one of three ended × ${killed.length + stopped.length} behind ${proxyName}`,
      await audit(place, wall.acknowledged),
      atLeast[extent],
    ),
    wall.followed(`events behind ${proxyName}`),
    {
      what: `requests failed by kill -9 behind ${proxyName}`,
      measured: killed.map(([failures]) => failures).join(', '),
      target: `≤ in flight: ${killed.map(([, inFlight]) => inFlight).join(', ')}`,
      ok: killed.every(([failures, inFlight]) => failures <= inFlight),
      detail: `of ${count(wall.acknowledged.size + reading.answered)}, a third of those in flight at that process`,
    },
    {
      what: `requests failed by SIGTERM behind ${proxyName}`,
      measured: String(failuresAtStops),
      target: '0',
      ok: failuresAtStops === 0,
      detail:
        reading.failures.at(-1) ?? `${stopped.length} stops; writes ended ${JSON.stringify([...wall.answersBut()])}`,
    },
  ];
}

interface Three {
  place: Place;
  servers: ServerProcess[];
  start(i: number): Promise<ServerProcess>;
  proxy: { address: string };
}

async function three(cleanup: AsyncDisposableStack, proxyName: ProxyName, settings: NodeJS.ProcessEnv): Promise<Three> {
  const { place, remove } = await freshPlace('postgres');
  cleanup.defer(remove);
  const ports = [await freePort(), await freePort(), await freePort()];
  const start = (i: number) => startServer(place, { ...behind, ...settings, PORT: String(ports[i]) });
  const servers = await Promise.all(ports.map((_, i) => start(i)));
  cleanup.defer(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });
  const proxy = await startProxy(proxyName, ports);
  cleanup.defer(() => proxy.remove());
  return { place, servers, start, proxy };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);
