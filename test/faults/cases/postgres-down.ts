import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '#client/create-client.ts';
import type { CallEndpoint } from '#contract/calls.ts';
import { errors } from '#contract/errors.ts';
import { count, sum } from '../../measurements/numbers.ts';
import { type Person, signedInPeople } from '../../measurements/people.ts';
import { type Figure, none } from '../../measurements/report.ts';
import { ask, type AskResult } from '../../kit/ask.ts';
import { freshStorage, type StorageSettings } from '../../kit/engines.ts';
import { PostgresCluster } from '../../kit/postgres-cluster.ts';
import { startServer } from '../../kit/server-process.ts';
import { shownPost } from '../../kit/shown-post.ts';
import { type BusyWall, quietly, twoBusyProcesses } from '../kit/busy-wall.ts';
import { Loops, post } from '../kit/load.ts';
import { type Extent, type Fault, until, within } from '../fault.ts';
import pg from 'pg';
import { freePort } from '../../kit/free-port.ts';
import { unprivilegedUser } from '../../kit/postgres-binaries.ts';
import { SupervisedShell } from '../../kit/supervised-shell.ts';

/** A PgBouncer in front of a PostgreSQL. */
interface Pooler extends AsyncDisposable {
  /** The database through the pooler. */
  url: string;
}

interface PoolerSettings {
  mode: 'session' | 'transaction' | 'statement';
  /** Connections to PostgreSQL. */
  size: number;
  /** Whether connections take turns; otherwise the one used last is used next. */
  roundRobin?: boolean;
}

/** Debian installs it where only root's PATH leads. */
const program = 'PATH="$PATH:/usr/sbin" pgbouncer';
const readyWithinMs = 60_000;

/** Why PgBouncer cannot be used here, or undefined. */
async function lacksPgbouncer(): Promise<string | undefined> {
  return spawnSync('sh', ['-c', `${program} --version`]).status === 0 ? undefined : 'pgbouncer is not on the PATH';
}

async function startPgbouncer(databaseUrl: string, settings: PoolerSettings): Promise<Pooler> {
  const target = new URL(databaseUrl);
  const port = await freePort();
  // It refuses to run as root.
  const shell = new SupervisedShell('pgbouncer', { cleanUp: 'kill $pooler; wait', user: unprivilegedUser() });
  writeFileSync(
    join(shell.folder, 'pgbouncer.ini'),
    `[databases]
    * = host=${target.hostname} port=${target.port} user=${target.username} password=${target.password}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = any
    pool_mode = ${settings.mode}
    default_pool_size = ${settings.size}
    max_client_conn = 500
    server_round_robin = ${settings.roundRobin ? 1 : 0}
    `.replaceAll(/^ +/gm, ''),
  );
  target.port = String(port);
  try {
    await shell.run(`${program} -q pgbouncer.ini & pooler=$!`);
    await ready(target.href);
  } catch (error) {
    await shell.end();
    throw error;
  }
  return { url: target.href, [Symbol.asyncDispose]: () => shell.end() };
}

async function ready(url: string): Promise<void> {
  for (const deadline = performance.now() + readyWithinMs; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

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
const postgresDown: Fault = {
  name: 'postgres-down',
  async run(extent) {
    await using cleanup = new AsyncDisposableStack();
    const cluster = cleanup.use(await PostgresCluster.make());
    await cluster.start();
    const storage = cluster.storage();
    const [watcher, ...people] = await signedInPeople(storage, writers + 1);
    const { addresses, wall } = await twoBusyProcesses(cleanup, storage, people);
    const figures = [
      ...(await outagesOf(cluster, wall, addresses, watcher!, extent)),
      await cut(cluster, wall, extent),
      await acrossProcesses(wall, addresses, watcher!, extent),
    ];
    await wall.stop();
    const others = wall.responses.except(201, 503);
    return [
      await wall.nothingLost('PostgreSQL killed, connections cut: posts of two processes', storage, atLeast[extent]),
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
    await until(() => watches.every(({ away }) => away > 0));
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
    within(
      extent,
      'writes after the restart of PostgreSQL',
      Math.max(...back),
      writesAgainWithinMs,
      `the slower of two processes, slowest of ${times}`,
    ),
  ];
}

/** Repeats requests to which a server must respond whether its storage is available or not. */
class OutageWatch extends Loops {
  /** Unexpected responses, in words. */
  readonly unexpected: string[] = [];
  /** Number of responses to requests that were sent while the storage was away, and came before it was back. */
  away = 0;
  #isAway = false;
  #changes = 0;

  constructor(address: string, { username, token }: Person) {
    super();
    // The idempotency key is always the same, so that the text is stored once.
    const headers = { 'idempotency-key': 'in-an-outage' };
    const body = { text: `${username} пишет во время сбоя` };
    const write = (url: string) => post(url, { token, body, headers });
    const read = (url: string) => ask(url, { headers: { accept: 'text/html' } });
    const expected: Array<[(url: string) => Promise<AskResult>, path: string, usual: number[], whileAway: number[]]> = [
      [read, '/healthz', [200], [200]],
      [read, '/readyz', [200, 503], [503]],
      // A read waits for the storage for some time.
      [read, '/', [200, 503], [200, 503]],
      [read, '/api/v1/posts', [200, 503], [200, 503]],
      [write, '/api/v1/posts', [201, 503], [503]],
    ];
    const { status, message } = errors.UNAVAILABLE;
    this.begin(
      expected.map(([send, path, usual, whileAway]) => async () => {
        const before = this.#changes;
        const asked = await send(address + path);
        const isAway = this.#isAway && before === this.#changes;
        if (isAway) this.away += 1;
        const allowed = isAway ? whileAway : usual;
        if (!allowed.includes(Number(asked.outcome)))
          this.unexpected.push(`${path}: ${asked.outcome}, not ${allowed.join(' or ')}`);
        if (asked.outcome === status && !asked.body.includes(message))
          this.unexpected.push(`${path} does not explain the outage`);
      }),
      50,
    );
  }

  set storageAway(away: boolean) {
    this.#isAway = away;
    this.#changes += 1;
  }
}

/**
 * Writes one post at a time and waits until the other process shows it. Nothing else is written, because a process that writes
 * also reads the changes of others. So only the write notice can have told the process.
 */
async function acrossProcesses(
  wall: BusyWall,
  addresses: readonly string[],
  { token }: Person,
  extent: Extent,
): Promise<Figure> {
  await wall.reached(atLeast[extent]);
  await wall.stopWriting();
  await sleep(readsAgainMs);
  const times: number[] = [];
  for (let i = 0; i < crossings; i += 1) {
    // One after the other: a process that has just written reads the changes of others too.
    for (const [at, from] of addresses.entries()) {
      const next = (at + 1) % addresses.length;
      const { received } = wall.subscribers[next]!;
      const shows = (call: CallEndpoint, id: string): Promise<boolean> =>
        call('GET /posts/{id}', { params: { id } }).then(
          () => received.has(id),
          () => false,
        );
      times.push(await crossing(from, addresses[next]!, token, shows));
    }
  }
  const what = 'a post of one process on the other and in its event streams, after that';
  return within(extent, what, Math.max(...times), crossesWithinMs, `both ways, slowest of ${crossings}`);
}

/** Resolves to the milliseconds until a process shows a post that another has acknowledged. */
async function crossing(
  from: string,
  to: string,
  token: string,
  shows: (call: CallEndpoint, id: string) => Promise<boolean>,
): Promise<number> {
  const text = `от ${from} до ${to}, ${performance.now()}`;
  const { id } = shownPost(await createClient({ baseUrl: from, token })('POST /posts', { body: { text } }));
  const call = createClient({ baseUrl: to });
  return until(() => shows(call, id), { everyMs: 2 });
}

/** Cuts every connection repeatedly, those that read write notices included. */
async function cut(cluster: PostgresCluster, wall: BusyWall, extent: Extent): Promise<Figure> {
  let cuts = 0;
  for (const end = performance.now() + cuttingMs[extent]; performance.now() < end; await sleep(cutEveryMs)) {
    const { rowCount } = await cluster.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    cuts += rowCount ?? 0;
  }
  const detail = `${cuts} cut, all of both processes every ${cutEveryMs} ms`;
  const back = await wall.acknowledgedEverywhere();
  return within(extent, 'writes after connections were cut', back, writesAgainWithinMs, detail, cuts > 0);
}

const poolerWriters = 8;
const pooledMs = { short: 0, whole: 10_000 };
const pooledAtLeast = { short: 10, whole: 500 };
const pooledCrossings = { short: 5, whole: 100 };

/** Poolers that share connections between clients, in the ways PgBouncer can hand them out. */
const sharing: Record<Extent, PoolerSettings[]> = {
  short: [{ mode: 'transaction', size: 5 }],
  whole: [
    { mode: 'transaction', size: 1 },
    { mode: 'transaction', size: 2, roundRobin: true },
    { mode: 'transaction', size: 3, roundRobin: true },
    { mode: 'transaction', size: 20 },
    { mode: 'transaction', size: 20, roundRobin: true },
    { mode: 'statement', size: 5 },
  ],
};
const refusals = { short: 1, whole: 5 };
const refusal = /^DATABASE_URL: пулер \(pool_mode = transaction или statement\) [^\n]+\n$/;

/** A PgBouncer between the wall and PostgreSQL: with sessions everything works, otherwise the start is refused. */
const pooler: Fault = {
  name: 'pooler',
  lacks: lacksPgbouncer,
  async run(extent) {
    await using fresh = await freshStorage('postgres');
    return [...(await withSessions(fresh.storage, extent)), await refused(fresh.storage, extent)];
  },
};

async function withSessions(storage: StorageSettings, extent: Extent): Promise<Figure[]> {
  await using cleanup = new AsyncDisposableStack();
  const [reader, ...people] = await signedInPeople(storage, poolerWriters + 1);
  const { url } = cleanup.use(await startPgbouncer(storage.databaseUrl!, { mode: 'session', size: 40 }));
  const { addresses, wall } = await twoBusyProcesses(cleanup, { ...storage, databaseUrl: url }, people);
  await sleep(pooledMs[extent]);
  await wall.reached(pooledAtLeast[extent]);
  await wall.stopWriting();
  const times: number[] = [];
  const feedOf = async (call: CallEndpoint) => (await call('GET /posts', {})).posts;
  for (let i = 0; i < pooledCrossings[extent]; i += 1) {
    const [from, to] = [addresses[i % 2]!, addresses[(i + 1) % 2]!];
    // After some reads the process has the feed in its cache.
    for (let read = 0; read < 3; read += 1) await feedOf(createClient({ baseUrl: to }));
    const shows = async (call: CallEndpoint, id: string) => (await feedOf(call)).some((one) => one.id === id);
    times.push(await crossing(from, to, reader!.token, shows));
  }
  await wall.stop();
  const what = 'a post of one process in the cached feed of the other';
  return [
    await wall.nothingLost('two processes through PgBouncer (session)', storage, pooledAtLeast[extent]),
    none(
      'responses to writes through PgBouncer',
      wall.responses.except(201).size,
      'other outcomes',
      wall.responses.toString(),
      { target: '201' },
    ),
    wall.receivedAll('events through PgBouncer'),
    within(extent, what, Math.max(...times), crossesWithinMs, `slowest of ${times.length}, both ways`),
  ];
}

async function refused(storage: StorageSettings, extent: Extent): Promise<Figure> {
  const wrong: string[] = [];
  const all = sharing[extent].flatMap((how) => Array<PoolerSettings>(refusals[extent]).fill(how));
  for (const how of all) {
    await using started = await startPgbouncer(storage.databaseUrl!, how);
    const message = await startServer({ ...storage, databaseUrl: started.url }, quietly).then(
      async (server) => {
        await server.stop();
        return 'started';
      },
      (error: Error) => error.message.replace('The server did not start:\n', ''),
    );
    if (!refusal.test(message)) wrong.push(`${JSON.stringify(how)}: ${message}`);
  }
  const what = 'starts through a PgBouncer that shares connections';
  return none(what, wrong.length, 'not refused in one line', wrong[0] ?? count(all.length), { enough: all.length > 0 });
}

export const postgresDownOrPooled = [postgresDown, pooler];
