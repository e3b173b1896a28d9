import { randomUUID } from 'node:crypto';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { StorageUnavailable, type ChangeListener, type Database, type Tag, type Tx } from '../database.ts';
import { InFlight } from '../in-flight.ts';
import { loadMigrations } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { ChangeChannel } from './change-channel.ts';
import { migratePostgres } from './migrate-postgres.ts';
import { shouldRepeat } from './postgres-errors.ts';
import { reachPool } from './reach-pool.ts';

const poolSize = 10;
const counterShards = 16;
const attempts = 5;

// Ids and times fit a double by far.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export async function openPostgres(url: string, onError: (error: Error) => void): Promise<Database> {
  await migratePostgres(url, await loadMigrations('postgres'));

  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 8_000,
    // Lists are short. A plan made for any limit would start workers, which takes longer than the list: 10 to 25 ms.
    options: '-c max_parallel_workers_per_gather=0',
    keepAlive: true,
  });
  // Without a listener, a connection that breaks would end the process. An idle one is replaced by the pool; one in use
  // fails its queries as well.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', () => {}));
  const read = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: reachPool(pool) }) });
  await beginLog(read);
  const inFlight = new InFlight();
  const listeners: ChangeListener[] = [];
  const tell: ChangeListener = (tags) => listeners.forEach((listener) => listener(tags));
  let repeats = 0;
  const self = randomUUID();
  const channel = new ChangeChannel(url, self, tell, onError);
  await channel.open();

  async function attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const touched: Tag[] = [];
    try {
      const result = await read.transaction().execute(async (db) => {
        const shard = Math.floor(Math.random() * counterShards);
        const value = await work({ db, shard, touch: (...tags) => touched.push(...tags) });
        if (touched.length > 0) await channel.announce(db, touched);
        return value;
      });
      if (touched.length > 0) tell(touched);
      return result;
    } catch (error) {
      // A connection that breaks during the commit leaves open whether it took place.
      if (touched.length > 0 && error instanceof StorageUnavailable) tell('everything');
      throw error;
    }
  }

  return {
    engine: 'postgres',
    read,
    get hearsOthers() {
      return channel.listening;
    },
    tx: (work) =>
      inFlight.run(() =>
        repeat(
          () => attempt(work),
          () => (repeats += 1),
        ),
      ),
    onChange: (listener) => listeners.push(listener),
    async check() {
      try {
        await sql`select 1`.execute(read);
      } catch (error) {
        throw new StorageUnavailable('PostgreSQL does not answer', { cause: error });
      }
    },
    vitals: () => ({
      engine: 'postgres',
      connections: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
      repeats,
      listening: channel.listening,
    }),
    async close() {
      await inFlight.close();
      await channel.close();
      const closed = allClosed(pool);
      await read.destroy();
      await closed;
    },
  };
}

/**
 * The log of changes is empty at first and after a crash. A row that tells nobody anything gives readers a position
 * from which it shows whether the log was emptied again.
 */
async function beginLog(db: Kysely<Schema>): Promise<void> {
  await sql`
    insert into changes (kind, post_id, owner_id, created_at)
    select 'read', 0, 0, 0 where not exists (select from changes)
  `.execute(db);
}

/** The pool's own end does not wait until its connections are closed. */
function allClosed(pool: pg.Pool): Promise<void> {
  let open = pool.totalCount;
  return new Promise((resolve) => {
    if (open === 0) resolve();
    pool.on('remove', () => {
      open -= 1;
      if (open === 0) resolve();
    });
  });
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
