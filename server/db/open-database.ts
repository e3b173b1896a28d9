import { join } from 'node:path';
import type { Config } from '../config.ts';
import { makeDataFolder } from '../data-folder.ts';
import { type Database, StorageUnfit } from './database.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { isDamaged } from './sqlite/sqlite-errors.ts';

export const sqliteFile = (dataDir: string): string => join(dataDir, 'stena.sqlite');

/** The database the settings name, migrated and ready. */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  onError: (error: Error) => void,
): Promise<Database> {
  if (databaseUrl) return openPostgres(databaseUrl, onError);
  await makeDataFolder(dataDir);
  const file = sqliteFile(dataDir);
  const damage = ({ message }: Error): string =>
    `The database ${file} is damaged (${message}): check the disk, then npm run restore -- FILE --replace puts the last backup in its place.`;
  try {
    return await openSqlite(file, {
      // What was acknowledged is safe; nothing more may be promised.
      onSyncFailure: ({ message }) =>
        end(`The disk refused to sync (${message}): stopping, as nothing more can be promised.`),
      onDamage: (error) => end(damage(error)),
    });
  } catch (error) {
    throw isDamaged(error) ? new StorageUnfit(damage(error as Error)) : error;
  }
}

/** Says why before anything else can run. */
function end(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}
