import type { Compilable, Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** The queries of a transaction that have been started and are awaited only at its end. */
export class SentQueries {
  #queries: Array<Promise<unknown>> = [];

  readonly add = (...queries: Array<Promise<unknown>>): void => {
    // `succeeded` reports failures, but is not called if the transaction fails before. So failures are marked as handled here.
    for (const query of queries) query.catch(() => {});
    this.#queries.push(...queries);
  };

  async succeeded(): Promise<void> {
    await Promise.all(this.#queries);
  }
}

/**
 * A tag names what a write changed, at the granularity on which cached responses depend:
 * `feed`, `discussed`, `best`, `wall` (its settings), `members` (who has a session or is blocked),
 * `post:7`, `replies:7`, `user:7` (profile without counts), `posts-of:7`, `replies-of:7`.
 */
export type PublicTag =
  | 'feed'
  | 'discussed'
  | 'best'
  | 'wall'
  | 'members'
  | `${'post' | 'replies' | 'user' | 'posts-of' | 'replies-of'}:${number}`;

/**
 * A tag with `+` belongs to a write that only adds posts or changes counts. A page may lack such a write for a second, because the
 * page carries its position in the change log, and the log reports the write to it. A write with any other tag outdates pages at once.
 */
export type Tag = PublicTag | `+${PublicTag}` | PersonalTag;

export const withoutPlus = (tag: Tag): Tag => (tag.startsWith('+') ? (tag.slice(1) as PublicTag) : tag);

/**
 * Tags for one person's event streams; no cached response depends on them. `reading:7:12`: how far person 7 has read list 12
 * (0: the feed). `unread:7`: the number of unread notifications.
 */
export type PersonalTag = `reading:${number}:${number}` | `unread:${number}`;

export const isPersonalTag = (tag: Tag): tag is PersonalTag => tag.startsWith('reading:') || tag.startsWith('unread:');

/** A transaction as stores see it. */
export interface Tx {
  readonly engine: Database['engine'];
  readonly db: Kysely<Schema>;
  /** The row of a sharded counter to add to, so that writers on PostgreSQL do not wait for each other. */
  readonly shard: number;
  /**
   * What code has derived from tables and updates itself, by a name of its own. Emptied when another process has written. Undefined
   * where several processes write.
   */
  readonly derived: Map<string, unknown> | undefined;
  /** Records what this transaction changes; listeners are called when it is durable. */
  touch(...tags: Tag[]): void;
  /**
   * Takes prepared queries that have been started and whose results are not needed. The transaction commits when all of them have
   * succeeded. PostgreSQL gets `commit` together with them, so code that waits for one of these queries runs after the commit.
   */
  send(...queries: Array<Promise<unknown>>): void;
  /**
   * Runs queries at the end of the transaction. On SQLite they run after the savepoints of all transactions that share a commit:
   * each savepoint makes the full-text index write its buffer, so indexing inside the savepoints would take three times as long.
   * Indexing also sets the id of the last inserted row to a number that may be above 2^53.
   */
  atCommit(work: () => Promise<unknown>): void;
}

export type Changed = readonly Tag[] | 'everything';

/** Each call gets the next `number`. */
export type ChangeListener = (changed: Changed, number: number) => void;

/** A standby from which public data may be read. */
export interface Replica {
  /** Its reads include everything emitted to listeners up to this number. */
  readonly upTo: number;
  /** Its reads are at least as new as this moment, ms of `performance.now()`. */
  readonly asOf: number;
  /** Also rejects when the replica does not respond. */
  run<T>(work: (read: Kysely<Schema>) => Promise<T>): Promise<T>;
}

/** Statistics of an engine. Counters start with the process. */
export type Vitals = SqliteVitals | PostgresVitals;

export interface SqliteVitals {
  engine: 'sqlite';
  commits: number;
  /** Transactions in these commits. */
  transactions: number;
  syncs: number;
  syncSeconds: number;
}

export interface PostgresVitals {
  engine: 'postgres';
  /** Connections in the pool. */
  connections: number;
  idle: number;
  /** Requests waiting for a connection. */
  waiting: number;
  /** Total time that queries and transactions have waited for a connection. */
  waitedSeconds: number;
  /** Transactions repeated after a deadlock or serialization failure. */
  repeats: number;
  /** Whether write notices of other processes' writes are read. */
  listening: boolean;
  replicas: ReplicaVitals[];
}

export interface ReplicaVitals {
  /** Host and port. */
  name: string;
  isUsed: boolean;
  /** Age of the data that the replica has; undefined while it is left out. */
  lagSeconds: number | undefined;
}

/** The interface that both engines implement. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** For reading outside transactions. On SQLite it does not see the writes of a transaction that is still open. */
  readonly read: Kysely<Schema>;
  /** Runs a query that takes longer than other requests may wait. On SQLite it has a thread of its own. */
  longRead<Row>(query: Compilable<Row>): Promise<Row[]>;
  /** False while writes of other processes may be missed. A cached response is then used only if the primary does not respond. */
  readonly receivesForeignWrites: boolean;
  /**
   * True when every write of any process that was durable before the call has been emitted to listeners; false when the
   * storage does not respond within a second.
   */
  catchUp(): Promise<boolean>;
  /** Identifies writes for other processes; undefined where one process writes. */
  readonly writeIds: WriteIds | undefined;
  /**
   * Runs `work` in a transaction and resolves when its writes are durable. Only queries may be awaited inside; the work
   * may run more than once.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  readonly writes: WriteHealth;
  onChange(listener: ChangeListener): void;
  /** A replica that can serve reads now; undefined if none can. */
  replica(): Replica | undefined;
  /** The largest id that a post has ever had; 0 if there was none. */
  largestPostId(): Promise<number>;
  /** Soon removes deleted rows from the log of writes, where they would otherwise remain until they are overwritten. */
  trimLog(): void;
  /**
   * Rejects with StorageUnavailable when the storage does not respond. After a query has found damage the result is 'damaged':
   * nothing is written any more, and undamaged parts can still be read.
   */
  check(): Promise<'ok' | 'damaged'>;
  vitals(): Vitals;
  /** Whether other processes of the wall use the same storage. */
  isShared(): Promise<boolean>;
  close(): Promise<void>;
}

/** Whether the storage accepts writes, as far as this process has tried. */
export interface WriteHealth {
  /** Transactions that the storage has refused since the process started. */
  readonly failed: number;
  readonly areFailing: boolean;
  /** Of the first failure of this outage, for the operator. */
  readonly reason: string | null;
  /** Takes an error of work that would have written. */
  note(error: unknown): void;
  onOutage(onBegin: (reason: string) => void, onEnd: (outage: { failures: number; seconds: number }) => void): void;
}

export interface WriteIds {
  /** Runs `work`; `noted` gets the id of each of its transactions that has changed what others may have cached. */
  during(work: () => void, noted: (writeId: number) => void): void;
  /** Whether the write has been emitted to listeners. */
  includes(writeId: number): boolean;
}

/** The storage is temporarily unavailable, locked or full; a later attempt may succeed. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

/** A unique value is taken; the transaction is rolled back. */
export class AlreadyTaken extends Error {
  override name = 'AlreadyTaken';
}

/** A standby is not used, and the wall runs without it. The message is for the operator. */
export class StandbyLeftOut extends Error {
  override name = 'StandbyLeftOut';
}

/** The server cannot start with this storage. The message is for the operator. */
export class StorageUnfit extends Error {
  override name = 'StorageUnfit';
}

/** A part of the database cannot be read. */
export class StorageDamaged extends StorageUnfit {
  override name = 'StorageDamaged';
}
