import { setTimeout as sleep } from 'node:timers/promises';
import { count, milliseconds } from '../../bench/format.ts';
import type { Figure } from '../../bench/scenario.ts';
import { startServer } from '../../test/server-process.ts';
import { BusyWall } from '../kit/busy-wall.ts';
import { type Audit, audit, kept } from '../kit/ledger.ts';
import { SECRET, signedInPeople } from '../kit/people.ts';
import { PostgresCluster, standbyName } from '../kit/postgres-cluster.ts';
import { Relay } from '../kit/relay.ts';
import type { Trial } from '../trial.ts';

const writers = { short: 8, whole: 32 };
const times = { short: 1, whole: 5 };
const writingMs = { short: 500, whole: 3_000 };
/** So long before its end the primary's standby hears nothing of it any more. */
const heldMs = 300;
const outAtMostMs = 5_000;

const synchronous = { synchronous_standby_names: standbyName, synchronous_commit: 'on' };

/** The primary is lost under write load, with all it has not handed on, and its standby takes over. */
export const failOver: Trial = {
  name: 'fail-over',
  async run(extent) {
    const over: FailedOver[] = [];
    for (let i = 0; i < times[extent]; i += 1) {
      over.push(await lostPrimary(synchronous, writers[extent], writingMs[extent]));
    }
    const slowest = Math.max(...over.map(({ outMs }) => outMs));
    const figures: Figure[] = [
      kept(
        `fail-over × ${times[extent]}, synchronous standby`,
        sum(over.map(({ found }) => found)),
        20 * times[extent],
      ),
      ...over.map(({ followed }) => followed),
      {
        what: 'no post taken at a fail-over',
        measured: milliseconds(slowest),
        target: `< ${milliseconds(outAtMostMs)}`,
        ok: slowest < outAtMostMs,
        detail: 'the longest, from the end of the primary until both processes have taken one; promoted at once',
      },
    ];
    if (extent === 'whole') figures.push(await asynchronous());
    return figures;
  },
};

interface FailedOver {
  found: Audit;
  outMs: number;
  followed: Figure;
}

async function lostPrimary(settings: Record<string, string>, people: number, duringMs: number): Promise<FailedOver> {
  await using cleanup = new AsyncDisposableStack();
  const primary = await PostgresCluster.make(settings);
  cleanup.defer(() => primary.remove());
  const replication = await Relay.to(primary.port);
  cleanup.defer(() => replication.close());
  const standby = await primary.makeStandby(replication.port);
  await primary.start();
  await standby.start();

  const address = await Relay.to(primary.port);
  cleanup.defer(() => address.close());
  const place = primary.place(address.port);
  const writing = await signedInPeople(place, people);
  const start = () => startServer(place, { SECRET, RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' });
  const servers = await Promise.all([start(), start()]);
  for (const server of servers) cleanup.defer(() => server.stop());

  const wall = new BusyWall(
    servers.map((server) => server.address),
    writing,
  );
  await wall.busy();
  await sleep(duringMs);
  replication.hold();
  await sleep(heldMs);
  const lostAt = performance.now();
  await primary.kill();
  await standby.promote();
  address.pointTo(standby.port);
  await wall.taken();
  const outMs = performance.now() - lostAt;
  await sleep(duringMs / 2);
  await wall.stop();
  return { found: await audit(place, wall.acknowledged), outMs, followed: wall.followed('events across a fail-over') };
}

/** What the rule does not promise, and the proof that this trial would notice. */
async function asynchronous(): Promise<Figure> {
  const { found } = await lostPrimary({}, writers.whole, writingMs.whole);
  return {
    what: 'the same with an asynchronous standby',
    measured: `${count(found.lost)} lost`,
    target: '> 0: the trial notices',
    ok: found.lost > 0,
    detail: `${count(found.acknowledged)} acknowledged posts`,
  };
}

function sum(audits: readonly Audit[]): Audit {
  const over = (key: Exclude<keyof Audit, 'damaged'>): number => audits.reduce((total, found) => total + found[key], 0);
  return {
    acknowledged: over('acknowledged'),
    lost: over('lost'),
    doubled: over('doubled'),
    miscounted: over('miscounted'),
    damaged: audits.some(({ damaged }) => damaged),
  };
}
