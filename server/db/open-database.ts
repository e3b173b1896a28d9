import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from './database.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';

export const sqliteFile = (dataDir: string): string => join(dataDir, 'stena.sqlite');

/** The database the settings name, migrated and ready. */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  onError: (error: Error) => void,
): Promise<Database> {
  if (databaseUrl) return openPostgres(databaseUrl, onError);
  await mkdir(dataDir, { recursive: true });
  return openSqlite(sqliteFile(dataDir), {
    onSyncFailure: (error) => {
      // What was acknowledged is safe; nothing more may be promised. Say it before anything else can run.
      process.stderr.write(`The disk refused to sync (${error.message}): stopping, as nothing more can be promised.\n`);
      process.exit(1);
    },
  });
}
