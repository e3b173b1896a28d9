import { setTimeout as sleep } from 'node:timers/promises';
import { count } from '../../measurements/numbers.ts';
import { below, type Figure } from '../../measurements/report.ts';
import { twoBusyProcesses } from '../kit/busy-processes.ts';
import { type Audit, audit, nothingLost, ofSeveralWalls } from '../kit/audit.ts';
import { signedInPeople } from '../../measurements/people.ts';
import { PostgresCluster, standbyName } from '../../kit/postgres-cluster.ts';
import { Relay } from '../../kit/relay.ts';
import { type Fault, limitOf } from '../fault.ts';

const writers = { short: 8, whole: 32 };
const times = { short: 1, whole: 5 };
const atLeast = 20;
const writingMs = { short: 0, whole: 3_000 };
/** How long the standby is cut off before the primary is killed. */
const cutOffMs = 300;
const withoutWritesUnderMs = 5_000;

const synchronous = { synchronous_standby_names: standbyName, synchronous_commit: 'on' };

/** The primary is lost under write load, with everything that it has not replicated, and its standby takes over. */
export const failOver: Fault = {
  name: 'fail-over',
  async run(extent) {
    const over: FailedOver[] = [];
    for (let i = 0; i < times[extent]; i += 1) {
      over.push(await lostPrimary(synchronous, writers[extent], writingMs[extent]));
    }
    const figures: Figure[] = [
      nothingLost(
        `fail-over × ${times[extent]}, synchronous standby`,
        ofSeveralWalls(over.map(({ found }) => found)),
        atLeast * times[extent],
      ),
      ...over.map(({ received }) => received),
      below(
        'no write acknowledged at a fail-over',
        Math.max(...over.map(({ withoutWritesMs }) => withoutWritesMs)),
        limitOf(extent, withoutWritesUnderMs),
        'longest time from the end of the primary until both processes have acknowledged a write; promoted at once',
      ),
    ];
    if (extent === 'whole') figures.push(await asynchronous());
    return figures;
  },
};

interface FailedOver {
  found: Audit;
  withoutWritesMs: number;
  received: Figure;
}

async function lostPrimary(settings: Record<string, string>, people: number, duringMs: number): Promise<FailedOver> {
  await using cleanup = new AsyncDisposableStack();
  const primary = cleanup.use(await PostgresCluster.make(settings));
  const replication = cleanup.use(await Relay.to(primary.port));
  const standby = await primary.makeStandby(replication.port);
  await primary.start();
  await standby.start();

  const address = cleanup.use(await Relay.to(primary.port));
  const place = primary.place(address.port);
  const writing = await signedInPeople(place, people);
  const { wall } = await twoBusyProcesses(cleanup, place, writing);
  await sleep(duringMs);
  await wall.reached(atLeast);
  replication.hold();
  await sleep(cutOffMs);
  const lostAt = performance.now();
  await primary.kill();
  await standby.promote();
  address.pointTo(standby.port);
  await wall.acknowledgedEverywhere();
  const withoutWritesMs = performance.now() - lostAt;
  await sleep(duringMs / 2);
  await wall.stop();
  return {
    found: await audit(place, wall.acknowledged),
    withoutWritesMs,
    received: wall.receivedAll('events across a fail-over'),
  };
}

/** The rule does not cover this. It proves that the fault would detect a loss. */
async function asynchronous(): Promise<Figure> {
  const { found } = await lostPrimary({}, writers.whole, writingMs.whole);
  return {
    what: 'the same with an asynchronous standby',
    measured: `${count(found.lost)} lost`,
    target: '> 0: the loss is detected',
    ok: found.lost > 0,
    detail: `${count(found.acknowledged)} acknowledged posts`,
  };
}
