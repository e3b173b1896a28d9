import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PostPage } from '#contract/posts.ts';
import { device } from '../../kit/sign-in.ts';
import { count, sum } from '../../measurements/numbers.ts';
import { type Person, signedInPeople } from '../../measurements/people.ts';
import type { Figure } from '../../measurements/report.ts';
import { ask, type AskResult, type Outcome } from '../../kit/ask.ts';
import { proxies, type ProxyName, startProxy } from '../../kit/proxy.ts';
import { BusyWall } from '../kit/busy-wall.ts';
import { allAtOnce, Loops, post } from '../kit/load.ts';
import { openWallOverHttp } from '../kit/wall-over-http.ts';
import { exactly, type Extent, type Fault, holds, inTurn } from '../fault.ts';

const writers = 18;
const visitors = 6;
const atLeast = { short: 20, whole: 1_000 };
const lossesOf = { short: [0], whole: [0, 1, 2, 0, 1, 2] } satisfies Record<Extent, number[]>;
/** Time between two events. */
const calmMs = { short: 300, whole: 1_000 };
/**
 * The requests that may fail at a stop: a proxy on a delayed machine may send a request on an idle connection while the server closes it.
 */
const lostAtAStop = { short: 2, whole: 0 };
/**
 * The requests that a client may lose at a kill: the one that is in flight and, behind a delayed proxy, one that it sends on
 * a connection whose end it has not noticed.
 */
const lostAtAKill = { short: 2, whole: 1 };
const visitPauseMs = 5;
const startsAnHour = 60;
const likesAMinute = 60;

/** Three processes on one PostgreSQL behind a real proxy act as one server, even while one of them is lost or replaced. */
export const threeProcesses: Fault = {
  name: 'three-processes',
  async lacks() {
    const missing = (['nginx', 'openssl'] as const).filter((program) => !isInstalled(program));
    return missing.length > 0 ? `${missing.join(', ')} not installed` : undefined;
  },
  run: (extent) =>
    inTurn(extent === 'short' ? (['nginx'] as const) : ([...proxies, 'caddy'] as const), async (proxy) =>
      isInstalled(proxy)
        ? [await sharedBudgets(proxy), ...(await underLoad(proxy, extent))]
        : [holds(proxy, false, 'not run', 'run', 'not installed')],
    ),
};

function isInstalled(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Three processes accept as many concurrent requests as one would; a client cannot choose its address by a header. */
async function sharedBudgets(proxyName: ProxyName): Promise<Figure> {
  await using cleanup = new AsyncDisposableStack();
  // On localhost the limits of an address are ten times as large.
  const { storage, proxy } = await three(cleanup, proxyName, { PUBLIC_URL: 'http://wall.example' });
  const [{ token }] = (await signedInPeople(storage, 1)) as [Person];
  const api = `${proxy.address}/api/v1`;
  const { id } = JSON.parse((await post(`${api}/posts`, { token, body: { text: 'моя' } })).body) as { id: string };
  /** Sends a request again that an overloaded process has refused with 503. Such a refusal does not count against the limits. */
  const outcomeOf = async (...request: Parameters<typeof post>) => {
    let outcome: Outcome;
    do ({ outcome } = await post(...request));
    while (outcome === 503);
    return outcome;
  };
  const likes = await allAtOnce(likesAMinute + 20, () => outcomeOf(`${api}/posts/${id}/likes`, { token }));
  const starts = await allAtOnce(startsAnHour + 10, (i) => {
    const body = { email: `nobody${i}@example.net`, clientToken: 'one client', device };
    return outcomeOf(`${api}/logins`, { body, headers: { 'x-forwarded-for': `198.51.100.${i}` } });
  });
  const found = [likes.of(200), starts.except(429).total];
  const detail = `likes in a minute: ${likes.toString()}; starts by one network: ${starts.toString()}`;
  return exactly(`limits behind ${proxyName}`, found, [likesAMinute, startsAnHour], detail);
}

async function underLoad(proxyName: ProxyName, extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const { wall: processes, storage, proxy } = await three(cleanup, proxyName, { RATE_LIMITS: 'off' });
  const people = await signedInPeople(storage, writers + visitors);
  const wall = new BusyWall([proxy.address, proxy.address, proxy.address], people.slice(visitors));
  const reading = new Visitors(proxy.address, people.slice(0, visitors));
  await wall.busy();

  const failed = (): number => wall.responses.except(201).total + reading.failures.length;

  /** Ends a process and starts it again; counts the requests that fail, and those in flight when it ends. */
  async function replace(i: number, signal: 'SIGTERM' | 'SIGKILL'): Promise<[failures: number, inFlight: number]> {
    const before = failed();
    const inFlight = wall.inFlight + reading.inFlight;
    await processes.replace(i, signal, calmMs[extent]);
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
  const times = killed.length + stopped.length;
  return [
    await wall.nothingLost(`one of three ended × ${times} behind ${proxyName}`, storage, atLeast[extent]),
    wall.receivedAll(`events behind ${proxyName}`),
    holds(
      `requests failed by kill -9 behind ${proxyName}`,
      killed.every(([failures, inFlight]) => failures <= lostAtAKill[extent] * inFlight),
      killed.map(([failures]) => failures).join(', '),
      `≤ ${lostAtAKill[extent]} × in flight: ${killed.map(([, inFlight]) => inFlight).join(', ')}`,
      `of ${count(wall.acknowledged.size + reading.finished)}, a third of those in flight were at that process`,
    ),
    holds(
      `requests failed by SIGTERM behind ${proxyName}`,
      failuresAtStops <= mayFail,
      String(failuresAtStops),
      `≤ ${mayFail}`,
      reading.failures.at(-1) ?? `responses to writes: ${wall.responses.toString()}`,
    ),
  ];
}

async function three(cleanup: AsyncDisposableStack, proxyName: ProxyName, settings: NodeJS.ProcessEnv) {
  const wall = cleanup.use(await openWallOverHttp('postgres', { LOG_LEVEL: 'fatal', ...settings }));
  return {
    wall,
    storage: wall.storage,
    proxy: cleanup.use(await startProxy(proxyName, wall.ports, { plain: proxyName === 'caddy' })),
  };
}

/** People who read pages and lists again and again and like the newest post. Every request must succeed. */
class Visitors extends Loops {
  finished = 0;
  /** Number of requests without a response yet. */
  inFlight = 0;
  /** Requests that failed, in words. */
  readonly failures: string[] = [];

  constructor(address: string, people: readonly Person[]) {
    super();
    const visiting = people.map(({ token }) => async () => {
      const headers = { authorization: `Bearer ${token}` };
      await this.#ask(() => ask(`${address}/`));
      const list = await this.#ask(() => ask(`${address}/api/v1/posts`, { headers }));
      const newest = list && (JSON.parse(list) as PostPage).posts[0];
      if (newest) await this.#ask(() => post(`${address}/api/v1/posts/${newest.id}/likes`, { token }));
    });
    this.begin(visiting, visitPauseMs);
  }

  async #ask(send: () => Promise<AskResult>): Promise<string | undefined> {
    this.inFlight += 1;
    const { outcome, body } = await send();
    this.inFlight -= 1;
    this.finished += 1;
    if (outcome === 200) return body;
    this.failures.push(`${outcome}: ${body}`);
  }
}
