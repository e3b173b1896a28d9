import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Figure } from '../../measurements/report.ts';
import { signedInPeople } from '../../measurements/people.ts';
import { root } from '../../kit/node-process.ts';
import { systemPostgres } from '../../kit/postgres-binaries.ts';
import { PostgresCluster, standbyName } from '../../kit/postgres-cluster.ts';
import { Relay } from '../../kit/relay.ts';
import { type Audit, audit, lossDetected, nothingLost, together } from '../kit/audit.ts';
import { twoBusyProcesses } from '../kit/busy-wall.ts';
import { type Extent, type Fault, inTurn, within } from '../fault.ts';

const writers = { short: 8, whole: 32 };
const failOvers = { short: 1, whole: 5 };
const atLeast = 20;
const writingMs = { short: 0, whole: 3_000 };
/** How long the standby is cut off before the primary is killed. */
const cutOffMs = 300;
const failsOverWithinMs = 5_000;
const synchronous = { synchronous_standby_names: standbyName, synchronous_commit: 'on' };

/** The primary is lost under write load, with everything that it has not replicated, and its standby takes over. */
const failOver: Fault = {
  name: 'fail-over',
  async run(extent) {
    const times = failOvers[extent];
    const over: Awaited<ReturnType<typeof lostPrimary>>[] = [];
    for (let i = 0; i < times; i += 1) over.push(await lostPrimary(synchronous, extent));
    const found = together(over.map((one) => one.found));
    const slowest = Math.max(...over.map((one) => one.withoutWritesMs));
    const detail = 'from the end of the primary until both processes have acknowledged a write; promoted at once';
    const figures = [
      nothingLost(`fail-over × ${times}, synchronous standby`, found, atLeast * times),
      ...over.map(({ received }) => received),
      within(extent, 'no write acknowledged at a fail-over', slowest, failsOverWithinMs, detail),
    ];
    if (extent === 'short') return figures;
    // With an asynchronous standby acknowledged writes may be lost: no promise covers that, and the audit must see the loss.
    const asynchronous = await lostPrimary({}, extent);
    const what = 'the same with an asynchronous standby';
    return [...figures, lossDetected(what, '> 0: the loss is detected', asynchronous.found)];
  },
};

async function lostPrimary(
  settings: Record<string, string>,
  extent: Extent,
): Promise<{ found: Audit; withoutWritesMs: number; received: Figure }> {
  await using cleanup = new AsyncDisposableStack();
  const primary = cleanup.use(await PostgresCluster.make(settings));
  const replication = cleanup.use(await Relay.to(primary.port));
  const standby = await primary.makeStandby(replication.port);
  await primary.start();
  await standby.start();

  const address = cleanup.use(await Relay.to(primary.port));
  const storage = primary.storage(address.port);
  const { wall } = await twoBusyProcesses(cleanup, storage, await signedInPeople(storage, writers[extent]));
  await sleep(writingMs[extent]);
  await wall.reached(atLeast);
  replication.hold();
  await sleep(cutOffMs);
  const lostAt = performance.now();
  await primary.kill();
  await standby.promote();
  address.pointTo(standby.port);
  await wall.acknowledgedEverywhere();
  const withoutWritesMs = performance.now() - lostAt;
  await sleep(writingMs[extent] / 2);
  await wall.stop();
  const received = wall.receivedAll('events across a fail-over');
  return { found: await audit(storage, wall.acknowledged), withoutWritesMs, received };
}

const script = join(root, 'deploy/upgrade-postgres');
const upgrades = 3;
const writingAroundMs = 10_000;
const writtenAtLeast = 100;
const upgradesWithinMs = 10_000;

/** A busy wall moves from the PostgreSQL of the system to a newer one, with the commands of docs/guide/postgres-upgrade.md. */
const upgradePostgres: Fault = {
  name: 'upgrade-postgres',
  shortFormIn: 'server/live/events-postgres.test.ts',
  async lacks() {
    const installed = systemPostgres();
    if (!installed) return 'no PostgreSQL server is installed';
    return existsSync(join(installed, 'bin/psql')) ? undefined : 'psql is not installed';
  },
  run: (extent) => inTurn(Array(upgrades).keys(), () => upgrade(extent)),
};

async function upgrade(extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const before = cleanup.use(await PostgresCluster.make({ wal_level: 'logical' }, systemPostgres()));
  const after = cleanup.use(await PostgresCluster.make());
  await Promise.all([before.start(), after.start()]);
  const versionOf = async (cluster: PostgresCluster): Promise<string> =>
    (await cluster.query('show server_version')).rows[0].server_version;
  const versions = [await versionOf(before), await versionOf(after)];
  // The wall uses the same password on both.
  await after.query(`alter role postgres password '${new URL(before.url()).password}'`);

  const address = cleanup.use(await Relay.to(before.port));
  const storage = before.storage(address.port);
  const { wall } = await twoBusyProcesses(cleanup, storage, await signedInPeople(storage, writers.whole));
  await sleep(writingAroundMs);

  const env = { ...process.env, OLD: before.url(), NEW: before.url(after.port) };
  const step = (name: string) => promisify(execFile)('sh', [script, name], { env, cwd: dirname(storage.dataDir) });
  await step('copy');
  await sleep(writingAroundMs);
  // The first upgrade is given up, and the wall goes back.
  await step('finish');
  await step('back');
  await wall.acknowledgedEverywhere();
  const endOfPause = longestPause(() => wall.acknowledged.size);
  await step('finish');
  address.pointTo(after.port);
  await wall.acknowledgedEverywhere();
  await step('end');
  const withoutWritesMs = endOfPause();
  await sleep(writingAroundMs);
  await wall.stop();
  const detail = `from ${versions.join(' to ')}; responses to writes: ${wall.responses.toString()}`;
  return [
    await wall.nothingLost('upgrade of PostgreSQL', storage, writtenAtLeast),
    wall.receivedAll('events across an upgrade of PostgreSQL'),
    within(extent, 'no write acknowledged at an upgrade of PostgreSQL', withoutWritesMs, upgradesWithinMs, detail),
  ];
}

/** The returned function ends the watch and returns the longest time in which the number has not grown, ms. */
function longestPause(read: () => number): () => number {
  let [last, since, longest] = [read(), performance.now(), 0];
  const timer = setInterval(() => {
    const [now, at] = [read(), performance.now()];
    longest = Math.max(longest, at - since);
    if (now > last) [last, since] = [now, at];
  }, 20);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

export const postgresMoves = [failOver, upgradePostgres];
