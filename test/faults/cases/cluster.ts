import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../../server/db/open-database.ts';
import { count } from '../../measurements/numbers.ts';
import { signedInPeople } from '../../measurements/people.ts';
import { below, none } from '../../measurements/report.ts';
import { auditOpen, nothingLost } from '../kit/audit.ts';
import { startProcesses } from '../kit/busy-processes.ts';
import { BusyWall } from '../kit/busy-wall.ts';
import { killedPostgres, type Trouble, troubles } from '../kit/cluster-troubles.ts';
import { FreshReads } from '../kit/fresh-reads.ts';
import { Likers, lostLikes } from '../kit/likers.ts';
import { PatroniCluster } from '../kit/patroni-cluster.ts';
import { type Fault, limitOf } from '../fault.ts';

const processes = 3;
const writers = 12;
const likers = 3;
const rounds = { short: [killedPostgres], whole: [...troubles, ...troubles] };
const atLeast = { short: 20, whole: 2_000 };
/** Time before and after a trouble. */
const calmMs = { short: 300, whole: 1_500 };
const withoutWritesUnderMs = 10_000;
const heardWithinMs = 1_000;

const refusedUnder = { short: 0.5, whole: 0.01 };
const percent = (share: number): string => `${(100 * share).toFixed(2)} %`;

const programs = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/lib/postgresql/15/bin/postgres', '/usr/sbin/haproxy'];

/** A real cluster fails over under three busy processes, which keep running. */
export const cluster: Fault = {
  name: 'cluster',
  async lacks() {
    if (process.getuid?.() !== 0) return 'network namespaces need root';
    const missing = programs.filter((program) => !existsSync(program));
    return missing.length > 0 ? `${missing.join(', ')} not installed` : undefined;
  },
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const postgres = cleanup.use(await PatroniCluster.start());
    const people = await signedInPeople(postgres.place, writers + likers);
    const settings = Array.from({ length: processes }, () => ({ DATABASE_READ_URL: postgres.readUrls }));
    const { servers, addresses } = await startProcesses(cleanup, postgres.place, settings);

    const wall = new BusyWall(addresses, people.slice(likers));
    const reads = new FreshReads(addresses);
    for (const [i, { address }] of servers.entries()) {
      wall.writers[i]!.onAcknowledged = (id) => reads.acknowledged(address, id);
    }
    const liking = people
      .slice(0, likers)
      .map((person, i) => new Likers(addresses[i]!, [person], () => [...wall.writers[i]!.acknowledged.keys()]));
    await wall.busy();

    const times: Round[] = [];
    for (const trouble of rounds[extent])
      times.push(await round(trouble, postgres, wall, reads, addresses, calmMs[extent]));
    await wall.reached(atLeast[extent]);
    while (liking.some(({ acknowledged }) => acknowledged.size === 0)) await sleep(10);
    const stopped = [reads, ...liking, wall].map((one) => one.stop());
    await Promise.all(stopped);

    const db = await openDatabase(postgres.placeOf(await postgres.whole()), () => {});
    const likes = new Set(liking.flatMap(({ acknowledged }) => [...acknowledged]));
    const found = await auditOpen(db, wall.acknowledged);
    const lost = await lostLikes(db, likes);
    await db.close();
    const ended = servers.filter(({ child }) => child.exitCode !== null || child.signalCode !== null);
    const { stale, judged } = reads.judge();
    const worst = (of: 'withoutWritesMs' | 'heardMs'): string =>
      times.map((one) => `${one.trouble} ${Math.round(one[of])}`).join(', ');
    return [
      nothingLost(`a cluster of three machines in trouble × ${times.length}`, found, atLeast[extent]),
      none('likes lost', lost, 'lost', `${count(likes.size)} acknowledged`, { enough: likes.size > 0 }),
      wall.receivedAll('events while a cluster is in trouble'),
      below(
        'no write acknowledged while a cluster is in trouble',
        Math.max(...times.map(({ withoutWritesMs }) => withoutWritesMs)),
        limitOf(extent, withoutWritesUnderMs),
        `the slowest of ${processes} processes: ${worst('withoutWritesMs')}`,
      ),
      below(
        'the first post after that in the event streams of all processes',
        Math.max(...times.map(({ heardMs }) => heardMs)),
        limitOf(extent, heardWithinMs),
        worst('heardMs'),
      ),
      none(
        'stale responses',
        stale.length,
        'stale',
        stale[0] ?? `${count(judged)} of ${count(reads.number)} reads of the feed judged`,
      ),
      none('reads that failed', reads.responses.except(200, 503).total, 'failed', reads.responses.toString()),
      // A page may be refused if something on it was replaced in the last moment before the primary was lost.
      below(
        'reads refused',
        reads.responses.except(200).total / reads.responses.total,
        refusedUnder[extent],
        reads.firstFailure ?? 'none',
        percent,
      ),
      none('processes that ended', ended.length, 'ended', `${processes} processes, never restarted`),
    ];
  },
};

interface Round {
  trouble: string;
  withoutWritesMs: number;
  heardMs: number;
}

/** Ends when the cluster is whole again. */
async function round(
  { name, takesOver, happen }: Trouble,
  postgres: PatroniCluster,
  wall: BusyWall,
  reads: FreshReads,
  addresses: readonly string[],
  duringMs: number,
): Promise<Round> {
  await sleep(duringMs);
  const leader = await postgres.whole();
  const from = performance.now();
  await happen(postgres, leader);
  if (takesOver) await postgres.takenOver(leader);
  else await sleep(duringMs);
  await wall.acknowledgedEverywhere();
  await sleep(duringMs);
  postgres.mend();
  await postgres.whole();
  await wall.acknowledgedEverywhere();
  await sleep(duringMs);
  const gap = reads.longestGap(from);
  const first = reads.firstWritten(gap.to);
  const eachWithout = addresses.map((address) => reads.longestGap(from, address));
  return {
    trouble: name,
    withoutWritesMs: Math.max(...eachWithout.map((one) => one.to - one.from)),
    heardMs: Math.max(
      ...wall.subscribers.map(({ received }) => (received.get(String(first.id)) ?? Infinity) - first.at),
    ),
  };
}
