import { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { kyselyOver, statementsOf } from './connection.ts';

const openTimeoutMs = 5_000;

/**
 * Every query of `work` reads the same moment. Writers go on, but until it ends the WAL grows, because no page that was
 * written since may be copied into the database file.
 */
export async function inSqliteSnapshot<T>(
  file: string,
  onDamage: (error: Error) => void,
  work: (read: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  const database = new DatabaseSync(file, { timeout: openTimeoutMs, readOnly: true });
  try {
    database.exec('begin');
    return await work(kyselyOver(statementsOf(database, onDamage)));
  } finally {
    database.close();
  }
}
