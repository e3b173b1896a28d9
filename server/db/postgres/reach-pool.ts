import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { asStorageError } from './postgres-errors.ts';

function fail(error: unknown): never {
  throw asStorageError(error);
}

/** The pool as Kysely uses it; its failures say when the server is out of reach. */
export function reachPool(pool: PostgresPool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch(fail);
      const query = <R>(sql: string, parameters: readonly unknown[]) => client.query<R>(sql, parameters).catch(fail);
      return {
        // Kysely's other form, for cursors, is not used.
        query: query as PostgresPoolClient['query'],
        release: (destroy) => client.release(destroy),
      };
    },
  };
}
