import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * What a write changed, named as finely as anything held in memory depends on it:
 * `feed`, `post:7`, `replies:7`, `user:7` (name and counts), `posts-of:7`, `answers:7` (to a person, and up to where read).
 */
export type Tag = 'feed' | `${'post' | 'replies' | 'user' | 'posts-of' | 'answers'}:${number}`;

/** A transaction as stores see it. */
export interface Tx {
  readonly db: Kysely<Schema>;
  /** Which row of a sharded counter to add to, so that writers on PostgreSQL do not queue for one. */
  readonly shard: number;
  /** Says what this transaction changes; listeners hear of it when it is durable. */
  touch(...tags: Tag[]): void;
}

export type ChangeListener = (tags: readonly Tag[] | 'everything') => void;

/** How an engine fares, for its operator. What is counted is counted since the process began. */
export type Vitals = SqliteVitals | PostgresVitals;

export interface SqliteVitals {
  engine: 'sqlite';
  commits: number;
  /** In these commits. */
  transactions: number;
  syncs: number;
  syncSeconds: number;
}

export interface PostgresVitals {
  engine: 'postgres';
  /** Of the pool, and how many of them are idle. */
  connections: number;
  idle: number;
  /** For a connection. */
  waiting: number;
  /** Of transactions that had lost against another. */
  repeats: number;
  /** Whether writes of other processes are heard of. */
  listening: boolean;
}

/** The one seam between the wall and its two engines. */
export interface Database {
  readonly engine: 'sqlite' | 'postgres';
  /** For reading outside transactions. */
  readonly read: Kysely<Schema>;
  /** False while writes of other processes may go unheard: nothing may be served from memory then. */
  readonly hearsOthers: boolean;
  /**
   * Runs `work` in a transaction and resolves when its writes are durable. Only queries may be awaited inside; the work
   * may run more than once.
   */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  onChange(listener: ChangeListener): void;
  /** Rejects with StorageUnavailable when the storage does not answer. */
  check(): Promise<void>;
  vitals(): Vitals;
  close(): Promise<void>;
}

/** The storage is out of reach, locked or full for now; trying again later may work. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

/** Somebody else has what must be unique; the transaction is undone. */
export class AlreadyTaken extends Error {
  override name = 'AlreadyTaken';
}

/** The server cannot start with this storage. The message is for the operator. */
export class StorageUnfit extends Error {
  override name = 'StorageUnfit';
}
