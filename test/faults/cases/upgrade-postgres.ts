import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { below, type Figure } from '../../measurements/report.ts';
import { signedInPeople } from '../../measurements/people.ts';
import { PostgresCluster } from '../../kit/postgres-cluster.ts';
import { systemPostgres } from '../../kit/postgres-binaries.ts';
import { Relay } from '../../kit/relay.ts';
import { audit, nothingLost } from '../kit/audit.ts';
import { twoBusyProcesses } from '../kit/busy-processes.ts';
import type { Fault } from '../fault.ts';

const script = join(import.meta.dirname, '../../../deploy/upgrade-postgres');
const run = promisify(execFile);

const writers = 32;
const writingMs = 10_000;
const times = 3;
const atLeast = 100;
const withoutWritesUnderMs = 10_000;

/** A busy wall moves from the PostgreSQL of the system to a newer one, with the commands of docs/guide/postgres-upgrade.md. */
export const upgradePostgres: Fault = {
  name: 'upgrade-postgres',
  shortFormIn: 'server/live/events-postgres.test.ts',
  async lacks() {
    const installed = systemPostgres();
    if (!installed) return 'no PostgreSQL server is installed';
    return existsSync(join(installed, 'bin/psql')) ? undefined : 'psql is not installed';
  },
  async run() {
    const figures: Figure[] = [];
    for (let i = 0; i < times; i += 1) figures.push(...(await upgrade()));
    return figures;
  },
};

async function upgrade(): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const before = cleanup.use(await PostgresCluster.make({ wal_level: 'logical' }, systemPostgres()));
  const after = cleanup.use(await PostgresCluster.make());
  await Promise.all([before.start(), after.start()]);
  const urls = { OLD: before.url(), NEW: after.url() };
  const versions = [await ask(urls.OLD, 'show server_version'), await ask(urls.NEW, 'show server_version')];
  // The wall uses the same password on both.
  await ask(urls.NEW, `alter role postgres password '${new URL(urls.OLD).password}'`);
  urls.NEW = before.url(after.port);

  const address = cleanup.use(await Relay.to(before.port));
  const place = before.place(address.port);
  const writing = await signedInPeople(place, writers);
  const { wall } = await twoBusyProcesses(cleanup, place, writing);
  await sleep(writingMs);

  const env = { ...process.env, ...urls };
  const step = (name: string) => run('sh', [script, name], { env, cwd: dirname(place.dataDir) });
  await step('copy');
  await sleep(writingMs);
  // Given up once.
  await step('finish');
  await step('back');
  await wall.acknowledgedEverywhere();
  const pause = new LongestPause(() => wall.acknowledged.size);
  await step('finish');
  address.pointTo(after.port);
  await wall.acknowledgedEverywhere();
  await step('end');
  const withoutWritesMs = pause.end();
  await sleep(writingMs);
  await wall.stop();

  const version = await ask(before.url(address.port), 'show server_version');
  return [
    nothingLost('upgrade of PostgreSQL', await audit(place, wall.acknowledged), atLeast),
    wall.receivedAll('events across an upgrade of PostgreSQL'),
    below(
      'no write acknowledged at an upgrade of PostgreSQL',
      withoutWritesMs,
      withoutWritesUnderMs,
      `from ${versions.join(' to ')}, then ${version}; responses to writes: ${wall.responses.toString()}`,
    ),
  ];
}

/** The longest time in which a number has not grown, ms. */
class LongestPause {
  #longest = 0;
  #timer: NodeJS.Timeout;

  constructor(read: () => number) {
    let [last, since] = [read(), performance.now()];
    this.#timer = setInterval(() => {
      const [now, at] = [read(), performance.now()];
      this.#longest = Math.max(this.#longest, at - since);
      if (now > last) [last, since] = [now, at];
    }, 20);
  }

  end(): number {
    clearInterval(this.#timer);
    return this.#longest;
  }
}

async function ask(url: string, statement: string): Promise<string> {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<[string]>({ text: statement, rowMode: 'array' }).finally(() => client.end());
  return rows[0]?.[0] ?? '';
}
