import { DatabaseSync } from 'node:sqlite';
import { isBusy } from '../db/sqlite/sqlite-errors.ts';
import { inUse } from './refusals.ts';

/**
 * Keeps everybody out of a database that is about to be replaced, and gathers all of it in its one file; returns what lets
 * go of it. Leaving WAL mode takes that nobody else has the file open: a server that is at work there is found out by it.
 */
export function holdSqlite(file: string): () => void {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('pragma journal_mode = delete; begin exclusive');
  } catch (error) {
    if (!isBusy(error)) return () => database.close();
    database.close();
    throw inUse();
  }
  return () => database.close();
}
