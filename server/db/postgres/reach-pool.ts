import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { preparedName } from '../prepared.ts';
import { asStorageError } from './postgres-errors.ts';

function fail(error: unknown): never {
  throw asStorageError(error);
}

/**
 * The pool as Kysely uses it. Each connection parses a prepared query once; failures say when the server is out of
 * reach.
 */
export function reachPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch(fail);
      const query = (text: string, values: readonly unknown[]) =>
        client.query({ name: preparedName(text), text, values: [...values] }).catch(fail);
      return {
        // Kysely's other form, for cursors, is not used.
        query: query as unknown as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy),
      };
    },
  };
}
