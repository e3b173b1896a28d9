import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostPage } from '#contract/posts.ts';
import { count, sum } from '../../measurements/numbers.ts';
import type { Figure } from '../../measurements/report.ts';
import { freshPlace, type Place } from '../../kit/engines.ts';
import { freePort } from '../../kit/free-port.ts';
import { SECRET, type ServerProcess, startServer } from '../../kit/server-process.ts';
import { startMailServer } from '../../kit/smtp.ts';
import { BusyWall } from '../kit/busy-wall.ts';
import { audit, nothingLost } from '../kit/audit.ts';
import { actsAsOneServer } from '../kit/as-one-server.ts';
import { type Person, signedInPeople } from '../../measurements/people.ts';
import { proxies, type ProxyName, startProxy } from '../../kit/proxy.ts';
import { Loops } from '../kit/loops.ts';
import type { Extent, Fault } from '../fault.ts';

const writers = 18;
const visitors = 6;
const atLeast = { short: 20, whole: 1_000 };
const lossesOf = { short: [0], whole: [0, 1, 2, 0, 1, 2] } satisfies Record<Extent, number[]>;
/** Time between two events. */
const calmMs = { short: 300, whole: 1_000 };
/**
 * A proxy that its machine delays may send a request on a connection that was idle for so long that it is just being closed. A
 * kill costs several times as many.
 */
const lostAtAStop = { short: 2, whole: 0 };
const visitPauseMs = 5;
const behindProxy = { SECRET, TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'fatal' };

/** Three processes on one PostgreSQL behind a real proxy act as one server, even while one of them is lost or replaced. */
export const threeProcesses: Fault = {
  name: 'three-processes',
  async lacks() {
    const missing = (['nginx', 'openssl'] as const).filter((program) => !isInstalled(program));
    return missing.length > 0 ? `${missing.join(', ')} not installed` : undefined;
  },
  async run(extent) {
    const figures: Figure[] = [];
    for (const proxy of extent === 'short' ? (['nginx'] as const) : proxies) {
      if (isInstalled(proxy)) figures.push(await asOneServer(proxy), ...(await underLoad(proxy, extent)));
      else figures.push({ what: proxy, measured: 'not run', target: 'run', ok: false, detail: 'not installed' });
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

async function asOneServer(proxyName: ProxyName): Promise<Figure> {
  await using cleanup = new AsyncDisposableStack();
  const mail = cleanup.use(await startMailServer());
  const { proxy } = await three(cleanup, proxyName, { SMTP_URL: mail.url, CODE_RESEND_SECONDS: '0' });
  return await actsAsOneServer(`limits, codes and sessions behind ${proxyName}`, proxy.address, mail);
}

async function underLoad(proxyName: ProxyName, extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const { place, servers, start, proxy } = await three(cleanup, proxyName, { RATE_LIMITS: 'off' });
  const people = await signedInPeople(place, writers + visitors);
  const wall = new BusyWall([proxy.address, proxy.address, proxy.address], people.slice(visitors));
  const reading = new Visitors(proxy.address, people.slice(0, visitors));
  await wall.busy();

  const failed = (): number => wall.responses.except(201).total + reading.failures.length;

  /** Ends a process and starts it again; counts the requests that fail, and those in flight when it ends. */
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
  await wall.reached(atLeast[extent]);
  await wall.stop();
  await reading.stop();
  const mayFail = stopped.length * lostAtAStop[extent];
  const failuresAtStops = sum(stopped.map(([failures]) => failures));
  return [
    nothingLost(
      `one of three ended × ${killed.length + stopped.length} behind ${proxyName}`,
      await audit(place, wall.acknowledged),
      atLeast[extent],
    ),
    wall.receivedAll(`events behind ${proxyName}`),
    {
      what: `requests failed by kill -9 behind ${proxyName}`,
      measured: killed.map(([failures]) => failures).join(', '),
      target: `≤ in flight: ${killed.map(([, inFlight]) => inFlight).join(', ')}`,
      ok: killed.every(([failures, inFlight]) => failures <= inFlight),
      detail: `of ${count(wall.acknowledged.size + reading.finished)}, a third of those in flight were at that process`,
    },
    {
      what: `requests failed by SIGTERM behind ${proxyName}`,
      measured: String(failuresAtStops),
      target: mayFail === 0 ? '0' : `≤ ${mayFail}`,
      ok: failuresAtStops <= mayFail,
      detail: reading.failures.at(-1) ?? `${stopped.length} stops; responses to writes: ${wall.responses.toString()}`,
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
  const { place } = cleanup.use(await freshPlace('postgres'));
  const ports = [await freePort(), await freePort(), await freePort()];
  const start = (i: number) => startServer(place, { ...behindProxy, ...settings, PORT: String(ports[i]) });
  const servers = await Promise.all(ports.map((_, i) => start(i)));
  cleanup.defer(async () => {
    await Promise.all(servers.map((server) => server.stop()));
  });
  const proxy = cleanup.use(await startProxy(proxyName, ports));
  return { place, servers, start, proxy };
}

/** People who read pages and lists without a pause and like the newest post. Every request must succeed. */
class Visitors {
  finished = 0;
  /** Number of requests without a response yet. */
  inFlight = 0;
  /** Requests that failed, in words. */
  readonly failures: string[] = [];
  #address: string;
  #loops: Loops;

  constructor(address: string, people: readonly Person[]) {
    this.#address = address;
    this.#loops = new Loops(
      people.map((person) => () => this.#visit(person)),
      visitPauseMs,
    );
  }

  stop(): Promise<void> {
    return this.#loops.stop();
  }

  async #visit({ token }: Person): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    await this.#ask('/', {});
    const list = await this.#ask('/api/v1/posts', { headers });
    const newest = list && (JSON.parse(list) as PostPage).posts[0];
    if (newest) await this.#ask(`/api/v1/posts/${newest.id}/likes`, { method: 'POST', headers });
  }

  async #ask(path: string, init: RequestInit): Promise<string | undefined> {
    this.inFlight += 1;
    try {
      const response = await fetch(`${this.#address}${path}`, init);
      const body = await response.text();
      if (response.status === 200) return body;
      this.failures.push(`${init.method ?? 'GET'} ${path}: ${response.status}`);
    } catch (error) {
      this.failures.push(`${init.method ?? 'GET'} ${path}: ${String(error)}`);
    } finally {
      this.inFlight -= 1;
      this.finished += 1;
    }
  }
}
