import { closeSync, fstat, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { StorageUnavailable, type ChangeListener, type Database, type Tag, type Tx } from '../database.ts';
import { Checkpointer } from './checkpointer.ts';
import { kyselyOver, sqliteCode, SQLITE_BUSY } from './connection.ts';
import { GroupWriter } from './group-writer.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { fileSync, WalSync, type Sync } from './wal-sync.ts';

const checkpointFromBytes = 16 * 1024 * 1024;
const watchEveryMs = 200;

export interface SqliteOptions {
  /** How the WAL is made durable; tests put failures here. */
  sync?: Sync;
  onSyncFailure: (error: Error) => void;
}

export async function openSqlite(file: string, { sync = fileSync, onSyncFailure }: SqliteOptions): Promise<Database> {
  await migrateSqlite(file);

  const writer = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  // Commits do not wait for the disk; `wal.durable()` does. Checkpoints are the worker's.
  writer.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma cache_size = -16000');
  const reader = new DatabaseSync(file, { timeout: 100, readOnly: true });
  reader.exec('pragma cache_size = -32000');

  const walFd = openWal(writer, file);
  const wal = new WalSync(walFd, sync, onSyncFailure);
  const jobs = new GroupWriter(writer, () => wal.durable());
  const checkpointer = new Checkpointer(file, (work) => jobs.exclusively(work));
  const write = kyselyOver(writer);
  const read = kyselyOver(reader);
  const listeners: ChangeListener[] = [];
  const tell: ChangeListener = (tags) => listeners.forEach((listener) => listener(tags));

  const foreignWrite = foreignWrites(writer);
  const watch = setInterval(() => {
    if (foreignWrite()) tell('everything');
    walSize(walFd).then(
      (bytes) => bytes > checkpointFromBytes && checkpointer.start(),
      () => {},
    );
  }, watchEveryMs).unref();

  return {
    engine: 'sqlite',
    read,
    hearsOthers: true,
    async tx<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      const touched: Tag[] = [];
      const result = await jobs.run(() => work({ db: write, shard: 0, touch: (...tags) => touched.push(...tags) }));
      if (touched.length > 0) tell(touched);
      return result;
    },
    onChange: (listener) => listeners.push(listener),
    async check() {
      try {
        await sql`select 1 from users limit 1`.execute(read);
      } catch (error) {
        throw new StorageUnavailable('SQLite does not answer', { cause: error });
      }
    },
    async close() {
      clearInterval(watch);
      await jobs.exclusively(async () => {});
      await checkpointer.close();
      reader.close();
      writer.close();
      closeSync(walFd);
    },
  };
}

/** The WAL stays the same file for as long as a connection is open. */
function openWal(writer: DatabaseSync, file: string): number {
  // An empty write transaction makes SQLite create the file; its name is durable once its folder is.
  writer.exec('begin immediate; commit');
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return openSync(`${file}-wal`, 'r+');
}

const stat = promisify(fstat);
const walSize = async (fd: number): Promise<number> => (await stat(fd)).size;

/** Tells whether another connection has written since it was last asked. */
function foreignWrites(writer: DatabaseSync): () => boolean {
  const query = writer.prepare('pragma data_version');
  let seen = query.get()!['data_version'];
  return () => {
    try {
      const before = seen;
      seen = query.get()!['data_version'];
      return seen !== before;
    } catch (error) {
      // Locked: whoever holds the lock is about to write, and the next look will tell.
      if (sqliteCode(error) === SQLITE_BUSY) return false;
      throw error;
    }
  };
}
