import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { StorageUnavailable, type ChangeListener, type Database, type Tag, type Tx } from '../database.ts';
import { InFlight } from '../in-flight.ts';
import { loadMigrations } from '../migrate.ts';
import { Checkpointer } from './checkpointer.ts';
import { kyselyOver, statementsOf } from './connection.ts';
import { GroupWriter } from './group-writer.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { isBusy, isDamaged } from './sqlite-errors.ts';
import { fileSync, WalSync, type Sync } from './wal-sync.ts';

/** Pages that wait in the WAL before they are copied into the database file: 16 MB. */
const checkpointFromPages = 4_096;
const watchEveryMs = 200;
const openingPatienceMs = 5_000;

export interface SqliteOptions {
  /** How the WAL is made durable; tests put failures here. */
  sync?: Sync;
  /** The disk has failed to keep what it was given; the process must end. */
  onSyncFailure: (error: Error) => void;
  /** The file is no sound database any more; the process must end. */
  onDamage: (error: Error) => void;
}

export async function openSqlite(
  file: string,
  { sync = fileSync, onSyncFailure, onDamage }: SqliteOptions,
): Promise<Database> {
  migrateSqlite(file, await loadMigrations('sqlite'));

  const writer = new DatabaseSync(file, { timeout: openingPatienceMs, enableForeignKeyConstraints: true });
  // Commits do not wait for the disk; `wal.durable()` does. Checkpoints are the worker's.
  writer.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma cache_size = -4000');
  // What savepoints put aside would otherwise go through a file.
  writer.exec('pragma temp_store = memory');
  const reader = new DatabaseSync(file, { timeout: 100, readOnly: true });
  reader.exec('pragma cache_size = -8000');

  const walFd = openWal(writer, file);
  // From here on the writer must not wait, as that would block the event loop.
  writer.exec('pragma busy_timeout = 0');
  const wal = new WalSync(walFd, sync, onSyncFailure);
  const jobs = new GroupWriter(writer, wal, onDamage);
  const checkpointer = new Checkpointer(file, {
    exclusively: (work) => jobs.exclusively(work),
    onFailure: onSyncFailure,
  });
  const onWriter = statementsOf(writer, onDamage);
  const onReader = statementsOf(reader, onDamage);
  const write = kyselyOver(onWriter);
  // Each commit empties the page cache of every connection but the writer's own. What it has open nobody may see.
  const read = kyselyOver((statement) => (writer.isTransaction ? onReader : onWriter)(statement));
  const inFlight = new InFlight();
  const listeners: ChangeListener[] = [];
  const tell: ChangeListener = (tags) => listeners.forEach((listener) => listener(tags));

  const foreignWrite = foreignWrites(writer);
  const uncopiedPages = uncopied(writer);
  const watch = setInterval(() => {
    // A transaction that awaits something slow is still open: the next look will tell.
    if (writer.isTransaction) return;
    try {
      if (foreignWrite()) tell('everything');
      if (uncopiedPages() > checkpointFromPages) checkpointer.start();
    } catch (error) {
      if (isDamaged(error)) onDamage(error as Error);
      // Locked for now: the next look will tell.
      if (!isBusy(error)) throw error;
    }
  }, watchEveryMs).unref();

  return {
    engine: 'sqlite',
    read,
    hearsOthers: true,
    tx: <T>(work: (tx: Tx) => Promise<T>) =>
      inFlight.run(async () => {
        const touched: Tag[] = [];
        const result = await jobs.run(() => work({ db: write, shard: 0, touch: (...tags) => touched.push(...tags) }));
        if (touched.length > 0) tell(touched);
        return result;
      }),
    onChange: (listener) => listeners.push(listener),
    async check() {
      try {
        await sql`select 1 from users limit 1`.execute(read);
      } catch (error) {
        throw new StorageUnavailable('SQLite does not answer', { cause: error });
      }
    },
    vitals: () => ({
      engine: 'sqlite',
      commits: jobs.commits,
      transactions: jobs.transactions,
      syncs: wal.syncs,
      syncSeconds: wal.syncSeconds,
    }),
    async close() {
      await inFlight.close();
      clearInterval(watch);
      await checkpointer.close();
      reader.close();
      writer.close();
      closeSync(walFd);
    },
  };
}

/** The WAL stays the same file for as long as a connection is open. */
function openWal(writer: DatabaseSync, file: string): number {
  // The first read makes SQLite create the file; its name is durable once its folder is.
  writer.exec('select 1 from migrations');
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return openSync(`${file}-wal`, 'r+');
}

/** Tells whether another connection has written since it was last asked. */
function foreignWrites(writer: DatabaseSync): () => boolean {
  const query = writer.prepare('pragma data_version');
  let seen = query.get()!['data_version'];
  return () => {
    const before = seen;
    seen = query.get()!['data_version'];
    return seen !== before;
  };
}

/** Tells how many pages the WAL holds that the database file does not yet. */
function uncopied(writer: DatabaseSync): () => number {
  const query = writer.prepare('pragma wal_checkpoint(noop)');
  return () => {
    const { log, checkpointed } = query.get()!;
    return Number(log) - Number(checkpointed);
  };
}
