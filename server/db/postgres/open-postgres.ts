import { type Compilable, CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { type Database, SentQueries, StorageUnavailable, type Tag, type Tx } from '../database.ts';
import { loadMigrations, refusalOfNewer } from '../migrate.ts';
import { runAtOnce } from '../prepared.ts';
import type { Schema } from '../schema.ts';
import { InFlight } from '../write-outage.ts';
import { setUp, startPatienceMs } from './connect.ts';
import { LockWatch } from './lock-watch.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { pipelinedPool } from './pipelined-pool.ts';
import { asStorageError, shouldRepeat } from './postgres-errors.ts';
import { Replicas } from './standby.ts';
import { sessionName, WriteNotices } from './write-notices.ts';

const patienceMs = 3_000;
const statementPatienceMs = 8_000;

/**
 * All queries of `work` read the same moment. Writers are not blocked, but until `work` ends PostgreSQL keeps every row that was
 * visible at the beginning. Queries over whole tables may take as long as they need, unlike those of the server.
 */
export async function inPostgresSnapshot<T>(url: string, work: (read: Kysely<Schema>) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: patienceMs, keepAlive: true });
  // Without listeners, a broken connection would end the process. A query on the connection fails anyway.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const read = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  try {
    return await read.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
  } catch (error) {
    throw asStorageError(error);
  } finally {
    await read.destroy();
  }
}

const poolSize = 10;
const counterShards = 16;
const attempts = 5;

/** A double above 2^53 could be the id of another row, so the query fails instead, as on SQLite. */
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`PostgreSQL has returned ${text}: ids and times must stay below 2^53`);
});

interface PostgresOptions {
  /** Maximum wait for a connection of the pool. */
  connectionMs?: number;
  statementMs?: number;
  /** Maximum duration of a reading of write notices. */
  readingMs?: number;
  /** Time between two readings of write notices. */
  pollMs?: number;
  /** How long write notices can be read. */
  retainedMs?: number;
  /** Addresses of standbys. */
  readUrls?: readonly string[];
}

export async function openPostgres(
  url: string,
  onError: (error: Error) => void,
  options: PostgresOptions = {},
): Promise<Database> {
  const { connectionMs = 3_000, statementMs = statementPatienceMs, readingMs = 2_000 } = options;
  const { pollMs = 50, retainedMs = 60_000, readUrls = [] } = options;
  const migrations = await loadMigrations('postgres');
  await migratePostgres(url, migrations);

  const inFlight = new InFlight();
  // During an outage each attempt to connect fails, four times a second, so only the first errors are reported.
  const onLost = (error: Error): void => {
    if (!inFlight.writes.areFailing) onError(error);
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: connectionMs,
    keepAlive: true,
    pipeline: true,
    onConnect: (client) => setUp(client, statementMs),
  });
  // Without a listener, a broken connection would end the process. The pool replaces an idle connection; queries on a used one
  // fail anyway.
  pool.on('error', onLost);
  pool.on('connect', (client) => client.on('error', () => {}));
  const allClosed = watchClosing(pool);
  const locks = new LockWatch(url, statementMs);
  let waitedMs = 0;
  const onWait = (ms: number): void => void (waitedMs += ms);
  const read = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: pipelinedPool(pool, { locks, onWait }) }) });
  let repeats = 0;
  const writeNotices = new WriteNotices(url, { pollMs, retainedMs, readingMs }, onLost);
  // The first queries find a connection that was opened with the patience of a start. It is opened through Kysely, which ends only a
  // pool that it has used.
  pool.options.connectionTimeoutMillis = startPatienceMs;
  await read.connection().execute(async () => {});
  pool.options.connectionTimeoutMillis = connectionMs;
  await writeNotices.open();
  const replicas = new Replicas(readUrls, writeNotices.positions, onError);

  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const refusal = refusalOfNewer(writeNotices.tables, migrations);
    if (refusal) throw refusal;
    const touched: Tag[] = [];
    let notice: Promise<number> | undefined;
    try {
      const sent = new SentQueries();
      const result = await read.transaction().execute(async (db) => {
        await sendAtOnce(db);
        const shard = Math.floor(Math.random() * counterShards);
        const last: Array<() => Promise<unknown>> = [];
        const value = await work({
          engine: 'postgres',
          db,
          shard,
          derived: undefined,
          touch: (...tags) => touched.push(...tags),
          send: sent.add,
          atCommit: (query) => last.push(query),
        });
        for (const query of last) sent.add(query());
        if (touched.length > 0) {
          notice = writeNotices.publish(db, touched);
          sent.add(notice);
        }
        return value;
      });
      if (notice) writeNotices.committed(await notice, touched);
      await sent.succeeded();
      return result;
    } catch (error) {
      // When the connection breaks during the commit, its outcome is unknown.
      if (touched.length > 0 && error instanceof StorageUnavailable) writeNotices.emitUnknown(touched);
      throw error;
    }
  }

  return {
    engine: 'postgres',
    read,
    longRead: async <Row>(query: Compilable<Row>) => (await read.executeQuery(query.compile())).rows,
    get receivesForeignWrites() {
      return writeNotices.areRead;
    },
    catchUp: () => writeNotices.catchUp(),
    writeIds: writeNotices,
    tx: (work) =>
      inFlight.run(() =>
        repeat(
          () => attempt(work),
          () => (repeats += 1),
        ),
      ),
    writes: inFlight.writes,
    onChange: (listener) => writeNotices.onChange(listener),
    replica: () => replicas.pick(!writeNotices.areRead),
    async largestPostId() {
      const { rows } = await sql<{
        id: number | null;
      }>`select pg_sequence_last_value(pg_get_serial_sequence('all_posts', 'id')::regclass) as id`.execute(read);
      return rows[0]!.id ?? 0;
    },
    // PostgreSQL recycles its log itself.
    trimLog: () => {},
    async check() {
      try {
        await sql`select 1`.execute(read);
        return 'ok';
      } catch (error) {
        throw new StorageUnavailable('PostgreSQL does not respond', { cause: error });
      }
    },
    vitals: () => ({
      engine: 'postgres',
      connections: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      waitedSeconds: waitedMs / 1_000,
      repeats,
      listening: writeNotices.areRead,
      replicas: replicas.vitals(),
    }),
    async isShared() {
      const { rows } = await sql<{ processes: number }>`
        select count(distinct pid)::int as processes from pg_stat_activity
        where datname = current_database() and application_name like ${`${sessionName}%`}`.execute(read);
      return rows[0]!.processes > 1;
    },
    async close() {
      await inFlight.close();
      locks.close();
      await Promise.all([writeNotices.close(), replicas.close()]);
      await read.destroy();
      await allClosed();
    },
  };
}

/** `pool.end()` does not wait until the connections are closed. The pool does not report connections that failed to open. */
function watchClosing(pool: pg.Pool): () => Promise<void> {
  let open = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  pool.on('connect', () => (open += 1));
  pool.on('remove', () => {
    open -= 1;
    if (open === 0 && pool.ending) resolve();
  });
  return async () => {
    if (open > 0) await promise;
  };
}

async function repeat<T>(attempt: () => Promise<T>, onRepeat: () => void): Promise<T> {
  for (let left = attempts; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 1 || !shouldRepeat(error)) throw error;
      onRepeat();
    }
  }
}

/** Makes the prepared queries of a transaction be sent at once, where Kysely would wait for the result of each. */
async function sendAtOnce(db: Kysely<Schema>): Promise<void> {
  const connection = await db.getExecutor().provideConnection((provided) => Promise.resolve(provided));
  runAtOnce(db, async (text, parameters) => {
    const { rows } = await connection.executeQuery(CompiledQuery.raw(text, parameters));
    return rows;
  });
}
