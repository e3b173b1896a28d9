import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createClient } from '#client/create-client.ts';
import { createPost, getPost } from '#contract/posts.ts';
import { sum } from '../../measurements/numbers.ts';
import { below, type Figure, none } from '../../measurements/report.ts';
import type { BusyWall } from '../kit/busy-wall.ts';
import { audit, nothingLost } from '../kit/audit.ts';
import { OutageWatch } from '../kit/outage-watch.ts';
import { twoBusyProcesses } from '../kit/busy-processes.ts';
import { type Person, signedInPeople } from '../../measurements/people.ts';
import { PostgresCluster } from '../../kit/postgres-cluster.ts';
import { shownPost } from '../../kit/shown-post.ts';
import { type Extent, type Fault, hangsAfterMs, limitOf } from '../fault.ts';

const writers = 16;
const atLeast = { short: 20, whole: 1_000 };
const outages = { short: 1, whole: 10 };
/** Time between outages. */
const writingMs = 700;
const awayMs = 700;
const writesAgainWithinMs = 5_000;
/** Time after which each process reads write notices again. */
const readsAgainMs = 1_500;
const crossings = 3;
const crossesWithinMs = 1_000;
const cuttingMs = { short: 1_500, whole: 10_000 };
const cutEveryMs = 200;

/** PostgreSQL is killed and restarted under two busy processes, and its connections are cut. The processes keep running. */
export const postgresDown: Fault = {
  name: 'postgres-down',
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const cluster = cleanup.use(await PostgresCluster.make());
    await cluster.start();
    const place = cluster.place();
    const [watcher, ...people] = await signedInPeople(place, writers + 1);
    const { addresses, wall } = await twoBusyProcesses(cleanup, place, people);
    const figures = [
      ...(await outagesOf(cluster, wall, addresses, watcher!, extent)),
      await cut(cluster, wall, extent),
      await acrossProcesses(wall, addresses, watcher!, extent),
    ];
    await wall.stop();
    const others = wall.responses.except(201, 503);
    return [
      nothingLost(
        'PostgreSQL killed, connections cut: posts of two processes',
        await audit(place, wall.acknowledged),
        atLeast[extent],
      ),
      none('responses to writes during outages', others.size, 'other outcomes', wall.responses.toString(), {
        target: '201 or 503',
      }),
      wall.receivedAll('events across outages'),
      ...figures,
    ];
  },
};

async function outagesOf(
  cluster: PostgresCluster,
  wall: BusyWall,
  addresses: readonly string[],
  watcher: Person,
  extent: Extent,
): Promise<Figure[]> {
  const times = outages[extent];
  const watches = addresses.map((address) => new OutageWatch(address, watcher));
  const back: number[] = [];
  for (let i = 0; i < times; i += 1) {
    await sleep(writingMs + Math.random() * 200);
    await cluster.kill();
    for (const watch of watches) watch.storageAway = true;
    await sleep(awayMs);
    while (watches.some(({ away }) => away === 0)) await sleep(10);
    for (const watch of watches) watch.storageAway = false;
    await cluster.start();
    back.push(await wall.acknowledgedEverywhere());
  }
  await Promise.all(watches.map((watch) => watch.stop()));
  const unexpected = watches.flatMap((watch) => watch.unexpected);
  const responses = sum(watches.map(({ away }) => away));
  return [
    none(
      'health and reads while PostgreSQL is away',
      unexpected.length,
      'unexpected',
      unexpected[0] ?? `${responses} responses, kill -9 of PostgreSQL × ${times}; each 503 explains the outage`,
      { target: 'healthz 200, readyz 503, reads 200 or 503', enough: responses > 0 },
    ),
    below(
      'writes after the restart of PostgreSQL',
      Math.max(...back),
      limitOf(extent, writesAgainWithinMs),
      `the slower of two processes, slowest of ${times}`,
    ),
  ];
}

/** Without other writes, which would make a process read the changes by itself: the write notice must reach it. */
async function acrossProcesses(
  wall: BusyWall,
  addresses: readonly string[],
  watcher: Person,
  extent: Extent,
): Promise<Figure> {
  await wall.reached(atLeast[extent]);
  await wall.stopWriting();
  await sleep(readsAgainMs);
  let slowest = 0;
  for (let i = 0; i < crossings; i += 1) {
    // One after the other: a process that has just written reads the changes of others too.
    for (const [at, address] of addresses.entries()) {
      const next = (at + 1) % addresses.length;
      const { received } = wall.subscribers[next]!;
      slowest = Math.max(slowest, await crossing(address, addresses[next]!, received, watcher));
    }
  }
  return below(
    'a post of one process on the other and in its event streams, after that',
    slowest,
    limitOf(extent, crossesWithinMs),
    `both ways, slowest of ${crossings}`,
  );
}

/** Resolves to the milliseconds until a process shows a post of another and its event streams have sent it. */
async function crossing(
  from: string,
  to: string,
  received: ReadonlyMap<string, number>,
  { token }: Person,
): Promise<number> {
  const text = `от ${from} до ${to}, ${performance.now()}`;
  const { id } = shownPost(await createClient({ baseUrl: from, token })(createPost, { body: { text } }));
  const began = performance.now();
  const read = createClient({ baseUrl: to });
  const shows = (): Promise<boolean> =>
    read(getPost, { params: { id } }).then(
      () => true,
      () => false,
    );
  while (!(received.has(id) && (await shows()))) {
    if (performance.now() - began > hangsAfterMs) return Infinity;
    await sleep(5);
  }
  return performance.now() - began;
}

/** Cuts every connection repeatedly, those that read write notices included. */
async function cut(cluster: PostgresCluster, wall: BusyWall, extent: Extent): Promise<Figure> {
  const client = new pg.Client(cluster.url());
  await client.connect();
  let cuts = 0;
  try {
    for (const until = performance.now() + cuttingMs[extent]; performance.now() < until; await sleep(cutEveryMs)) {
      const { rowCount } = await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
      cuts += rowCount ?? 0;
    }
  } finally {
    await client.end();
  }
  const backMs = await wall.acknowledgedEverywhere();
  const underMs = limitOf(extent, writesAgainWithinMs);
  return {
    ...below('writes after connections were cut', backMs, underMs, ''),
    ok: backMs < underMs && cuts > 0,
    detail: `${cuts} cut, all of both processes every ${cutEveryMs} ms`,
  };
}
