import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../../server/db/open-database.ts';
import { toCursor } from '../../../server/features/posts/rules.ts';
import { createPost } from '../../../server/features/posts/writes.ts';
import { count } from '../../measurements/numbers.ts';
import { type Person, signedInPeople } from '../../measurements/people.ts';
import { below, type Figure, none } from '../../measurements/report.ts';
import type { Place } from '../../kit/engines.ts';
import { freePort } from '../../kit/free-port.ts';
import { PostgresCluster } from '../../kit/postgres-cluster.ts';
import { parseMetrics } from '../../kit/prometheus.ts';
import type { ServerProcess } from '../../kit/server-process.ts';
import { now } from '../../kit/signed-in.ts';
import { type Extent, type Fault, hangsAfterMs, limitOf } from '../fault.ts';
import { startProcesses } from '../kit/busy-processes.ts';
import { OwnWrites } from '../kit/own-writes.ts';
import { secondsOfProcessor } from '../kit/processor-time.ts';

const people = { short: 6, whole: 16 };
const reads = { short: 300, whole: 100_000 };
const pausedAtMostMs = { short: 500, whole: 5_000 };
const uncachedReads = { short: 3_000, whole: 20_000 };
const posts = 400;
/** The clock of processes counts in steps of 10 ms. */
const restMs = 3_000;
const leftOutUnderMs = 1_000;
const shareOfPrimary = 0.2;

/** Public responses are made from two standbys, which fall behind, die and hang. */
export const replicas: Fault = {
  name: 'replicas',
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const primary = cleanup.use(await PostgresCluster.make({ fsync: 'off' }));
    const standbys = [await primary.makeStandby(primary.port, 'one'), await primary.makeStandby(primary.port, 'two')];
    await primary.start();
    for (const standby of standbys) await standby.start();
    const place = primary.place();
    const writers = await signedInPeople(place, people[extent]);
    await fill(place, writers[0]!);

    const readUrls = standbys.map((standby) => standby.url()).join();
    const metrics = [await freePort(), await freePort()];
    const reading = metrics.map((port) => ({ DATABASE_READ_URL: readUrls, METRICS: `127.0.0.1:${port}` }));
    const { servers, addresses } = await startProcesses(cleanup, place, reading);
    const [alone] = (await startProcesses(cleanup, place, [{}])).servers;
    await Promise.all(metrics.map((port) => untilUsed(port, 2)));

    return [
      await processorTime(primary, servers[0]!, alone!, uncachedReads[extent]),
      await behindOwnWrites(standbys, addresses, writers, extent),
      ...(await losses(standbys, addresses, metrics, writers, limitOf(extent, leftOutUnderMs))),
    ];
  },
};

async function fill(place: Place, { id: userId }: Person): Promise<void> {
  const db = await openDatabase(place, () => {});
  const write = (text: string) => db.tx((tx) => createPost(tx, { userId, text, now: now() }));
  for (let i = 0; i < posts; i += 1) await write(`Запись ${i}`);
  await db.close();
}

async function processorTime(
  primary: PostgresCluster,
  reader: ServerProcess,
  alone: ServerProcess,
  requests: number,
): Promise<Figure> {
  const used = (): number => secondsOfProcessor(primary.postmaster);
  const atRest = used();
  await sleep(restMs);
  const restPerMs = (used() - atRest) / restMs;

  const seconds = async ({ address }: ServerProcess): Promise<number> => {
    const before = used();
    const began = performance.now();
    let sent = 0;
    const read = async (): Promise<void> => {
      while (sent < requests) {
        sent += 1;
        // No cursor comes twice, so nothing is cached.
        const cursor = toCursor(2 + (sent % (posts - 2)));
        const response = await fetch(
          `${address}/api/v1/posts?limit=${50 - (Math.floor(sent / posts) % 50)}&cursor=${cursor}`,
        );
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`cursor ${cursor}: ${response.status}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, read));
    return used() - before - restPerMs * (performance.now() - began);
  };
  const [without, withStandbys] = [await seconds(alone), await seconds(reader)];
  return below(
    'processor time of the primary for uncached feed reads, with two standbys against none',
    // The polls that are subtracted vary.
    Math.max(0, withStandbys / without),
    shareOfPrimary,
    `${withStandbys.toFixed(2)} against ${without.toFixed(2)} s for ${count(requests)} reads, without ${(restPerMs * 1e6).toFixed(0)} ms/s that the polls of three processes take`,
    (share) => `${share.toFixed(2)} ×`,
  );
}

/** Every read must show the reader's own write, whichever server it goes to and however far the standbys are behind. */
async function behindOwnWrites(
  standbys: readonly PostgresCluster[],
  addresses: readonly string[],
  writers: readonly Person[],
  extent: Extent,
): Promise<Figure> {
  const writing = new OwnWrites(addresses, writers);
  let pauses = 0;
  while (writing.reads < reads[extent] && writing.failures.length === 0) {
    await Promise.all(standbys.map((standby) => standby.query('select pg_wal_replay_pause()')));
    await sleep(Math.random() * pausedAtMostMs[extent]);
    await Promise.all(standbys.map((standby) => standby.query('select pg_wal_replay_resume()')));
    await sleep((Math.random() * pausedAtMostMs[extent]) / 5);
    pauses += 1;
  }
  await writing.stop();
  const wrong = [...writing.behind, ...writing.failures];
  return none(
    `reads behind one's own write, replay paused × ${pauses}`,
    wrong.length,
    'behind',
    wrong[0] ?? `${count(writing.reads)} reads of ${writers.length} people through ${addresses.length} processes`,
    { enough: writing.reads >= reads[extent] },
  );
}

async function losses(
  [first, second]: readonly PostgresCluster[],
  addresses: readonly string[],
  metrics: readonly number[],
  writers: readonly Person[],
  underMs: number,
): Promise<Figure[]> {
  const reading = new OwnWrites(addresses, writers);
  const everywhere = (used: number): Promise<number> =>
    Promise.all(metrics.map((port) => untilUsed(port, used))).then((times) => Math.max(...times));
  await everywhere(2);
  await first!.kill();
  const killedMs = await everywhere(1);
  await second!.freeze();
  const frozenMs = await everywhere(0);
  await sleep(500);
  await second!.resume();
  const backMs = await everywhere(1);
  while (reading.reads === 0 && reading.failures.length === 0) await sleep(10);
  await reading.stop();
  const wrong = [...reading.failures, ...reading.behind];
  return [
    below('a killed standby is left out', killedMs, underMs, 'the slower of two processes'),
    below('a standby that hangs is left out', frozenMs, underMs, `used again after ${Math.round(backMs)} ms`),
    none('requests failed meanwhile', wrong.length, 'failed', wrong[0] ?? `of ${count(reading.reads)} reads`, {
      enough: reading.reads > 0,
    }),
  ];
}

/** Milliseconds until a process uses so many standbys. */
async function untilUsed(metricsPort: number, wanted: number): Promise<number> {
  const began = performance.now();
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    const series = Object.entries(parseMetrics(await response.text()));
    const used = series.filter(([name, value]) => name.startsWith('stena_postgres_replica_used') && value === 1).length;
    const ms = performance.now() - began;
    if (used === wanted) return ms;
    if (ms > hangsAfterMs) throw new Error(`${used} standbys are used, not ${wanted}`);
    await sleep(10);
  }
}
