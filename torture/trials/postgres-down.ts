import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { count, milliseconds } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { startServer } from '../../test/server-process.ts';
import { BusyWall } from '../kit/busy-wall.ts';
import { audit, kept } from '../kit/ledger.ts';
import { OutageWatch } from '../kit/outage-watch.ts';
import { type Person, SECRET, signedInPeople } from '../kit/people.ts';
import { PostgresCluster } from '../kit/postgres-cluster.ts';
import { toldAcross } from '../kit/told-across.ts';
import type { Extent, Trial } from '../trial.ts';

const writers = 16;
const atLeast = { short: 20, whole: 1_000 };
const outages = { short: 1, whole: 10 };
/** Between outages. */
const writingMs = 700;
const awayMs = 700;
const takenAgainWithinMs = 5_000;
/** By then each process listens again. */
const settleMs = 1_500;
const tellings = 3;
/** `npm test` runs on busier machines than a torture run. */
const toldWithinMs = { short: 4_000, whole: 1_000 };
const cuttingMs = { short: 1_500, whole: 10_000 };
const cutEveryMs = 200;

/** PostgreSQL goes away under two busy processes and comes back, and its connections are cut; the processes live on. */
export const postgresDown: Trial = {
  name: 'postgres-down',
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const cluster = await PostgresCluster.make();
    cleanup.defer(() => cluster.remove());
    await cluster.start();
    const place = cluster.place();
    const [watcher, ...people] = await signedInPeople(place, writers + 1);
    const settings = { SECRET, RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' };
    const servers = await Promise.all([startServer(place, settings), startServer(place, settings)]);
    for (const server of servers) cleanup.defer(() => server.stop());
    const addresses = servers.map(({ address }) => address);

    const wall = new BusyWall(addresses, people);
    await wall.busy();
    const figures = [
      ...(await outagesOf(cluster, wall, addresses, watcher!, extent)),
      await cut(cluster, wall, cuttingMs[extent]),
      await toldAfterwards(wall, addresses, watcher!, extent),
    ];
    await wall.stop();
    const others = wall.answersBut(201, 503);
    return [
      kept(
        'PostgreSQL killed, connections cut: posts of two processes',
        await audit(place, wall.acknowledged),
        atLeast[extent],
      ),
      {
        what: 'answers to writes meanwhile',
        measured: `${others.size} kinds of others`,
        target: '201 or 503',
        ok: others.size === 0,
        detail:
          others.size === 0 ? `503 ${count(wall.answersBut(201).get(503) ?? 0)} times` : JSON.stringify([...others]),
      },
      wall.followed('events through outages'),
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
    for (const watch of watches) watch.storageAway = false;
    await cluster.start();
    back.push(await wall.taken());
  }
  await Promise.all(watches.map((watch) => watch.stop()));
  const unlike = watches.flatMap((watch) => watch.unlike);
  const rounds = watches.reduce((sum, { roundsAway }) => sum + roundsAway, 0);
  return [
    {
      what: 'health and reads while PostgreSQL is away',
      measured: `${unlike.length} otherwise`,
      target: 'healthz 200, readyz 503, reads 200 or 503',
      ok: unlike.length === 0 && rounds > 0,
      detail: unlike[0] ?? `${rounds} rounds, kill -9 of PostgreSQL × ${times}; 503s say what is the matter`,
    },
    {
      what: 'writes taken again after PostgreSQL is back',
      measured: milliseconds(Math.max(...back)),
      target: `< ${milliseconds(takenAgainWithinMs)}`,
      ok: Math.max(...back) < takenAgainWithinMs,
      detail: `the slower of two processes, the slowest of ${times}`,
    },
  ];
}

/** Without other writes, which would have a process look by itself: it must have heard of the one. */
async function toldAfterwards(
  wall: BusyWall,
  addresses: readonly string[],
  watcher: Person,
  extent: Extent,
): Promise<Figure> {
  await wall.rest();
  await sleep(settleMs);
  let slowest = 0;
  for (let i = 0; i < tellings; i += 1) slowest = Math.max(slowest, await toldAcross(wall, addresses, watcher));
  return {
    what: 'one process shows and tells what the other took, after that',
    measured: milliseconds(slowest),
    target: `< ${milliseconds(toldWithinMs[extent])}`,
    ok: slowest < toldWithinMs[extent],
    detail: `both ways, the slowest of ${tellings}`,
  };
}

/** Every connection, the listening ones too, again and again. */
async function cut(cluster: PostgresCluster, wall: BusyWall, duringMs: number): Promise<Figure> {
  const client = new pg.Client(cluster.url());
  await client.connect();
  let cuts = 0;
  try {
    for (const until = performance.now() + duringMs; performance.now() < until; await sleep(cutEveryMs)) {
      const { rowCount } = await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
      );
      cuts += rowCount ?? 0;
    }
  } finally {
    await client.end();
  }
  const back = await wall.taken();
  return {
    what: `writes taken again after connections were cut`,
    measured: milliseconds(back),
    target: `< ${milliseconds(takenAgainWithinMs)}`,
    ok: back < takenAgainWithinMs && cuts > 0,
    detail: `${cuts} cut, all of both processes every ${cutEveryMs} ms`,
  };
}
