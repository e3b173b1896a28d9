import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Schema } from '../schema.ts';
import { asStorageError } from './postgres-errors.ts';

const patienceMs = 3_000;

/**
 * Every query of `work` reads the same moment. Writers go on, but until it ends PostgreSQL keeps every row that was
 * visible then. Queries over whole tables may take as long as they need, unlike those of the server.
 */
export async function inPostgresSnapshot<T>(url: string, work: (read: Kysely<Schema>) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: patienceMs, keepAlive: true });
  // Without listeners, a broken connection would end the process; the query on it fails by itself.
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
