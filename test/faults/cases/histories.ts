import { count } from '../../measurements/numbers.ts';
import { type Person, signedInPeople } from '../../measurements/people.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import type { StorageSettings } from '../../kit/engines.ts';
import { quietly, startProcesses } from '../kit/busy-wall.ts';
import { anomaliesOf } from '../kit/history.ts';
import { PatroniCluster, troubles } from '../kit/patroni-cluster.ts';
import { RecordedPeople } from '../kit/recorded-people.ts';
import { openWallOverHttp } from '../kit/wall-over-http.ts';
import { type Extent, type Fault, limitOf } from '../fault.ts';

const clients = 20;
const rounds = { short: 2, whole: 50 };
const writtenBetween = { short: 30, whole: 100 };
/** Within this time, the other processes show what is written through one. */
const lateMs = 1_000;

/** One order of the writes explains all that clients have seen while processes or machines of a cluster are lost. */
export const histories: Fault = {
  name: 'histories',
  async run(extent) {
    const killed = await killedProcesses(extent);
    return extent === 'short' ? killed : [...killed, ...(await clusterInTrouble(extent))];
  },
};

async function killedProcesses(extent: Extent): Promise<Figure[]> {
  await using wall = await openWallOverHttp('postgres', quietly);
  const people = await signedInPeople(wall.storage, clients);
  const addresses = wall.servers.map(({ address }) => address);
  const kill = (i: number): Promise<void> => wall.replace(i % addresses.length);
  return await explained('three processes, one killed', extent, wall.storage, addresses, people, kill);
}

async function clusterInTrouble(extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const postgres = cleanup.use(await PatroniCluster.start());
  const people = await signedInPeople(postgres.storage, clients);
  const settings = Array.from({ length: 3 }, () => ({ DATABASE_READ_URL: postgres.readUrls }));
  const { addresses } = await startProcesses(cleanup, postgres.storage, settings);
  return await explained('a cluster in trouble', extent, postgres.storage, addresses, people, async (i, goesOn) => {
    const { takesOver, happen } = troubles[i % troubles.length]!;
    const leader = await postgres.whole();
    await happen(postgres, leader);
    // Writes go on through another machine, or through the same one if it has restarted in time.
    if (takesOver) await goesOn();
    postgres.mend();
    await postgres.whole();
  });
}

async function explained(
  what: string,
  extent: Extent,
  storage: StorageSettings,
  addresses: readonly string[],
  people: readonly Person[],
  trouble: (round: number, goesOn: () => Promise<void>) => Promise<void>,
): Promise<Figure[]> {
  const recorded = new RecordedPeople(addresses, people);
  for (let i = 0; i < rounds[extent]; i += 1) {
    await recorded.written(writtenBetween[extent]);
    // Each client has at most one write under way, so at least one of these begins after the trouble.
    await trouble(i, () => recorded.written(clients + 1));
  }
  await recorded.written(writtenBetween[extent]);
  await recorded.stop();
  const db = await openDatabase(storage, () => {});
  await recorded.audit(db);
  await db.close();
  const { history, refused } = recorded;
  const found = anomaliesOf(history, limitOf(extent, lateMs));
  const anomalies = found.slice(0, 4).map(({ kind, detail }) => `${kind}: ${detail}`);
  const size = `${count(history.writes.length)} writes, ${count(history.reads.length)} reads`;
  const unexplained = `${what} × ${rounds[extent]}: what one order of the writes does not explain`;
  return [
    none(unexplained, found.length, 'anomalies', anomalies.join('; ') || size),
    none(`${what}: requests refused`, refused.length, 'refused', refused[0] ?? `${clients} clients`),
  ];
}
