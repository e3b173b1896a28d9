import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { preparedName } from '../prepared.ts';
import { waited } from '../../waits.ts';
import type { LockWatch, SentQuery } from './lock-watch.ts';
import { asStorageError } from './postgres-errors.ts';

type Outcome = Pick<pg.QueryResult, 'command' | 'rows' | 'rowCount'>;

const noRows = (command: string): Outcome => ({ command, rows: [], rowCount: 0 });

interface PoolOptions {
  locks?: LockWatch;
  /** Called with the milliseconds that a query or a transaction has waited for its connection. */
  onWait?: (ms: number) => void;
}

/**
 * The pool for Kysely. Queries are sent without waiting for the results of earlier ones. Each connection parses a prepared
 * query once, and errors become storage errors.
 */
export function pipelinedPool(pool: pg.Pool, { locks, onWait }: PoolOptions = {}): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const began = performance.now();
      const client = await waited('pool', () => pool.connect()).catch((error: unknown) => {
        throw asStorageError(error);
      });
      onWait?.(performance.now() - began);
      const lease = new Lease(client, locks);
      return {
        // Kysely's other form, for cursors, is not used.
        query: ((text: string, values: readonly unknown[]) =>
          waited('storage', () => lease.query(text, values))) as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy || client.getTransactionStatus() !== 'I'),
      };
    },
  };
}

/** A connection of the pool while it is lent, for one query or one transaction. */
class Lease {
  #client: pg.PoolClient;
  #locks: LockWatch | undefined;
  #transaction: 'none' | 'due' | 'open' | 'ended' = 'none';
  /** Why the transaction cannot commit. PostgreSQL names the reason only once. */
  #failure: unknown;

  constructor(client: pg.PoolClient, locks?: LockWatch) {
    this.#client = client;
    this.#locks = locks;
  }

  /** Sends the query before it returns. */
  async query(text: string, values: readonly unknown[] = []): Promise<Outcome> {
    if (text === 'begin') {
      this.#transaction = 'due';
      return noRows('BEGIN');
    }
    if (text === 'commit' || text === 'rollback') return this.#end(text);
    if (this.#transaction === 'ended') throw new Error('The transaction has ended');
    const query = { name: preparedName(text), text, values: [...values] };
    // The types lack `processID`.
    const { processID: pid } = this.#client as pg.PoolClient & { processID: number | null };
    const sent: SentQuery = { text, pid, sentAt: performance.now() };
    this.#locks?.add(sent);
    try {
      if (this.#transaction !== 'due') return await this.#client.query(query);
      this.#transaction = 'open';
      const [, result] = await Promise.all([this.#client.query('begin'), this.#client.query(query)]);
      return result;
    } catch (error) {
      throw (this.#failure ??= asStorageError(error, sent));
    } finally {
      this.#locks?.remove(sent);
    }
  }

  async #end(text: 'commit' | 'rollback'): Promise<Outcome> {
    const isOpen = this.#transaction === 'open';
    this.#transaction = 'ended';
    if (!isOpen) return noRows(text.toUpperCase());
    const { command, rows, rowCount } = await this.#client.query(text).catch((error: unknown) => {
      // Kysely rolls back after this error.
      this.#transaction = 'open';
      throw asStorageError(error);
    });
    // A query that nobody has awaited has failed.
    if (text === 'commit' && command === 'ROLLBACK') throw this.#failure;
    return { command, rows, rowCount };
  }
}
