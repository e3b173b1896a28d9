import { once } from 'node:events';
import { closeSync, fdatasync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { type Compilable, type Kysely, sql } from 'kysely';
import {
  type Changed,
  type ChangeListener,
  type Database,
  SentQueries,
  StorageDamaged,
  StorageUnavailable,
  type Tag,
  type Tx,
} from '../database.ts';
import { loadMigrations, refusalOfNewer } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { waited } from '../../waits.ts';
import { InFlight } from '../write-outage.ts';
import { kyselyOver, statementsOf } from './connection.ts';
import { damageOf, namingDamage } from './damage.ts';
import { GroupWriter } from './group-writer.ts';
import { migrateSqlite } from './migrate-sqlite.ts';
import { asStorageError, isBusy, isDamaged } from './sqlite-errors.ts';
import type { LongQuery } from './read-worker.ts';
import { watchFiles } from './watch-files.ts';

/** Syncs the file of a descriptor without blocking the event loop. */
type Sync = (fd: number) => Promise<void>;

export const fileSync: Sync = (fd) =>
  new Promise((resolve, reject) => fdatasync(fd, (error) => (error ? reject(error) : resolve())));

/**
 * Makes commits durable. A sync covers every commit made before it began, so all calls made during a sync share the
 * next one. After a failed sync the state of the disk is unknown (the kernel may have dropped the dirty pages), so
 * `onFailure` must end the process.
 */
class WalSync {
  syncs = 0;
  syncSeconds = 0;
  #fd: number;
  #sync: Sync;
  #onFailure: (error: Error) => void;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(fd: number, sync: Sync, onFailure: (error: Error) => void) {
    this.#fd = fd;
    this.#sync = sync;
    this.#onFailure = onFailure;
  }

  /** Resolves when everything committed before this call is durable. */
  durable(): Promise<void> {
    if (!this.#running) return (this.#running = this.#start());
    return (this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return (this.#running = this.#start());
    }));
  }

  /** Resolves when the running sync has ended. */
  idle(): Promise<void> {
    return this.#running ?? Promise.resolve();
  }

  async #start(): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.#sync(this.#fd);
    } catch (error) {
      this.#onFailure(error as Error);
      // Never resolves: waiting writes must not be acknowledged.
      await new Promise(() => {});
    }
    this.syncs += 1;
    this.syncSeconds += (performance.now() - startedAt) / 1_000;
    if (!this.#next) this.#running = undefined;
  }
}

const snapshotTimeoutMs = 5_000;

/**
 * All queries of `work` read the same moment. Writers are not blocked, but the WAL grows until `work` ends, because no page that
 * was written since the beginning may be copied into the database file.
 */
export async function inSqliteSnapshot<T>(file: string, work: (read: Kysely<Schema>) => Promise<T>): Promise<T> {
  const database = new DatabaseSync(file, { timeout: snapshotTimeoutMs, readOnly: true });
  try {
    database.exec('begin');
    const explained = (error: unknown) =>
      isDamaged(error) ? damageOf(file, (error as Error).message) : asStorageError(error);
    return await work(kyselyOver(statementsOf(database, explained)));
  } finally {
    database.close();
  }
}

interface CheckpointerOptions {
  /** Runs `work` while no write transaction of this process is open. */
  exclusively: (work: () => Promise<void>) => Promise<void>;
  onFailure: (error: Error) => void;
}

/** One thread for all databases of the process. A server has one database, tests have hundreds. */
let worker: Worker | undefined;

/** Keeps the WAL short without blocking the event loop on disk I/O. */
class Checkpointer {
  #port: MessagePort;
  #options: CheckpointerOptions;
  #running: Promise<void> | undefined;

  constructor(file: string, options: CheckpointerOptions) {
    worker ??= startWorker();
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ file, port: port2 }, [port2]);
    this.#port = port1;
    this.#options = options;
  }

  /** Starts a checkpoint unless one is already running. */
  start(): void {
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /**
   * The first pass runs concurrently with writers; the second blocks them while it copies the pages written meanwhile.
   * After that SQLite restarts the WAL from its beginning at the next write.
   */
  async #run(): Promise<void> {
    await this.#copy();
    await this.#options.exclusively(() => this.#copy());
  }

  async #copy(): Promise<void> {
    this.#port.postMessage('checkpoint');
    const [failure] = (await once(this.#port, 'message')) as [Error | undefined];
    if (failure) this.#options.onFailure(failure);
  }

  async close(): Promise<void> {
    await this.#running;
    this.#port.ref();
    const closed = once(this.#port, 'close');
    this.#port.postMessage('close');
    await closed;
  }
}

function startWorker(): Worker {
  const started = new Worker(new URL('./checkpoint-worker.ts', import.meta.url));
  started.unref();
  return started;
}

/** WAL size, in pages, that starts a checkpoint: 16 MB. */
const checkpointFromPages = 4_096;
const pollIntervalMs = 200;
const openTimeoutMs = 5_000;

export interface SqliteOptions {
  /** Makes the WAL durable; tests replace it. */
  sync?: Sync;
  /** A sync has failed; the process must exit. */
  onSyncFailure: (error: Error) => void;
}

export async function openSqlite(file: string, { sync = fileSync, onSyncFailure }: SqliteOptions): Promise<Database> {
  const migrations = await loadMigrations('sqlite');
  namingDamage(file, () => migrateSqlite(file, migrations));

  const writer = new DatabaseSync(file, { timeout: openTimeoutMs, enableForeignKeyConstraints: true });
  // Commits do not sync; `wal.durable()` does. The worker runs the checkpoints.
  writer.exec('pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma cache_size = -4000');
  // Overwrites rows that are deleted, in the pages that are written anyway.
  writer.exec('pragma secure_delete = fast');
  // Otherwise the statement journals of savepoints would be written to a file.
  writer.exec('pragma temp_store = memory');
  const reader = new DatabaseSync(file, { timeout: 100, readOnly: true });
  reader.exec('pragma cache_size = -8000');

  const walFd = openWal(writer, file);
  // From here on the event loop runs. This connection does not wait for locks, because that would block the event loop.
  writer.exec('pragma busy_timeout = 0');
  const wal = new WalSync(walFd, sync, onSyncFailure);
  const inFlight = new InFlight();
  let damage: StorageUnavailable | undefined;
  const explained = (error: unknown): unknown => {
    if (!isDamaged(error)) return asStorageError(error);
    const found = damageOf(file, (error as Error).message);
    // Every later write is refused with the same error, so the log has one line.
    damage ??= new StorageUnavailable(found.message);
    inFlight.writes.note(damage);
    return found;
  };
  const groupWriter = new GroupWriter(writer, wal, explained);
  const checkpointer = new Checkpointer(file, {
    exclusively: (work) => groupWriter.exclusively(work),
    onFailure: onSyncFailure,
  });
  const onWriter = statementsOf(writer, explained);
  const onReader = statementsOf(reader, explained);
  const write = kyselyOver(onWriter);
  // Reads use the writer connection, because each commit invalidates the page cache of every other connection. While a
  // transaction is open there, they use the reader connection, which does not see uncommitted rows.
  const read = kyselyOver((statement) => (writer.isTransaction ? onReader : onWriter)(statement));
  const derived = new Map<string, unknown>();
  const listeners: ChangeListener[] = [];
  let emitted = 0;
  const emit = (changed: Changed): void => {
    emitted += 1;
    for (const listener of listeners) listener(changed, emitted);
  };

  const foreignWrite = foreignWrites(writer);
  const tables = writer.prepare('select max(version) as version from migrations');
  let outdated: StorageUnavailable | undefined;
  const emitForeignWrite = (): void => {
    if (!foreignWrite()) return;
    outdated = refusalOfNewer(Number(tables.get()!['version']), migrations);
    derived.clear();
    emit('everything');
  };
  const pagesOfLog = countPages(writer);
  const bytes = writer.prepare('select page_count * page_size as bytes from pragma_page_count, pragma_page_size');
  const whatHappened = watchFiles(file, () => Number(bytes.get()!['bytes']));
  /** The files at the paths are not those that are open. It ends when the files are moved back. */
  let lost: StorageUnavailable | undefined;
  const lookForFiles = (): void => {
    const found = whatHappened();
    if (found === lost?.message) return;
    lost = found === undefined ? undefined : new StorageUnavailable(found);
    if (lost) inFlight.writes.note(lost);
  };
  /** The size of the WAL in pages when its trim began; 0 while no trim runs. A smaller WAL has been restarted, so the trim is over. */
  let toTrim = 0;
  let isTrimAsked = false;
  const polling = setInterval(() => {
    try {
      lookForFiles();
      // While a transaction is open, nothing else can be checked. No checkpoint may write into files of another wall.
      if (writer.isTransaction || lost) return;
      emitForeignWrite();
      const { log, copied } = pagesOfLog();
      if (isTrimAsked || log < toTrim) {
        // The first write after a complete checkpoint restarts the WAL. With the limit 0 it also truncates the old content.
        writer.exec(`pragma journal_size_limit = ${isTrimAsked ? 0 : -1}`);
        toTrim = isTrimAsked ? log : 0;
        isTrimAsked = false;
      }
      if (log - copied > (toTrim > 0 ? 0 : checkpointFromPages)) checkpointer.start();
    } catch (error) {
      // If the file is locked, the next poll checks again.
      if (isBusy(error)) return;
      const found = explained(error);
      if (found instanceof StorageUnavailable) inFlight.writes.note(found);
      else if (!(found instanceof StorageDamaged)) throw error;
    }
  }, pollIntervalMs).unref();

  return {
    engine: 'sqlite',
    read,
    longRead: <Row>(query: Compilable<Row>) => {
      const { sql: text, parameters } = query.compile();
      return inThread<Row>({ file, text, parameters: parameters as SQLInputValue[] });
    },
    receivesForeignWrites: true,
    writeIds: undefined,
    async catchUp() {
      while (writer.isTransaction) await setImmediate();
      try {
        emitForeignWrite();
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        throw error;
      }
    },
    tx: <T>(work: (tx: Tx) => Promise<T>) =>
      inFlight.run(async () => {
        const refusal = lost ?? damage ?? outdated;
        if (refusal) throw refusal;
        const touched: Tag[] = [];
        const attempt = async (atCommit: Tx['atCommit']): Promise<T> => {
          const sent = new SentQueries();
          const touch: Tx['touch'] = (...tags) => touched.push(...tags);
          const value = await work({ engine: 'sqlite', db: write, shard: 0, derived, touch, send: sent.add, atCommit });
          await sent.succeeded();
          return value;
        };
        const result = await waited('storage', () => groupWriter.run(attempt));
        if (touched.length > 0) emit(touched);
        // What was committed meanwhile is in files that will be lost, so it is not acknowledged.
        if (lost) throw lost;
        return result;
      }),
    writes: inFlight.writes,
    onChange: (listener) => listeners.push(listener),
    replica: () => undefined,
    async largestPostId() {
      const { rows } = await sql<{
        seq: number;
      }>`select seq from sqlite_sequence where name = 'all_posts'`.execute(read);
      return rows[0]?.seq ?? 0;
    },
    trimLog: () => void (isTrimAsked = true),
    async check() {
      if (lost) throw lost;
      try {
        await sql`select 1 from users limit 1`.execute(read);
        return damage ? 'damaged' : 'ok';
      } catch (error) {
        throw new StorageUnavailable('SQLite does not respond', { cause: error });
      }
    },
    vitals: () => ({
      engine: 'sqlite',
      commits: groupWriter.commits,
      transactions: groupWriter.transactions,
      syncs: wal.syncs,
      syncSeconds: wal.syncSeconds,
    }),
    isShared: async () => false,
    async close() {
      await inFlight.close();
      clearInterval(polling);
      await checkpointer.close();
      if (!lost) copyWal(writer);
      writer.close();
      // The reader is closed last. Then SQLite leaves the -shm file, because a read-only connection does not delete it. If the disk
      // is full at the next start, there would be no room for a new one.
      reader.close();
      closeSync(walFd);
    },
  };
}

/** Runs a query in a thread that ends with it, so that no connection stays open for a query that is rare. */
async function inThread<Row>(query: LongQuery): Promise<Row[]> {
  const thread = new Worker(new URL('./read-worker.ts', import.meta.url), { workerData: query });
  const [rows] = (await once(thread, 'message')) as [Row[]];
  return rows;
}

/** Opens the WAL file, which SQLite does not replace while a connection is open. */
function openWal(writer: DatabaseSync, file: string): number {
  // The first read makes SQLite create the WAL file. Syncing the folder makes its directory entry durable.
  writer.exec('select 1 from migrations');
  const folder = openSync(dirname(file), 'r');
  fsyncSync(folder);
  closeSync(folder);
  return openSync(`${file}-wal`, 'r+');
}

/** Copies the WAL into the database file, for people who copy only this file. On a full disk pages stay in the WAL. */
function copyWal(writer: DatabaseSync): void {
  try {
    writer.exec('pragma wal_checkpoint(passive)');
  } catch (error) {
    if (!(asStorageError(error) instanceof StorageUnavailable)) throw error;
  }
}

/** Returns a function that reports whether another connection has written since its previous call. */
function foreignWrites(writer: DatabaseSync): () => boolean {
  const query = writer.prepare('pragma data_version');
  let seen = query.get()!['data_version'];
  return () => {
    const before = seen;
    seen = query.get()!['data_version'];
    return seen !== before;
  };
}

/** Returns a function that counts the pages in the WAL and the copied ones: those that are already in the database file. */
function countPages(writer: DatabaseSync): () => { log: number; copied: number } {
  const query = writer.prepare('pragma wal_checkpoint(noop)');
  return () => {
    const { log, checkpointed } = query.get()!;
    return { log: Number(log), copied: Number(checkpointed) };
  };
}
