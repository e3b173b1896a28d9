import type { Config } from '../../config.ts';
import type { Database } from '../../db/database.ts';
import { hasWall, openDatabase, refuseUnfinishedRestore, sqliteFile } from '../../db/open-database.ts';
import { CommandError, toLine } from './terminal.ts';

/** Opens an existing wall. Refuses a missing one, so that a wrong setting does not create an empty wall. */
export async function openWall(config: Config): Promise<Database> {
  await refuseMissingWall(config);
  return openDatabase(config, (error) => process.stderr.write(`${toLine(error.message)}\n`));
}

export async function refuseMissingWall(config: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<void> {
  if (await hasWall(config)) return;
  await refuseUnfinishedRestore(config);
  const place = config.databaseUrl ? 'в этой базе PostgreSQL (DATABASE_URL)' : sqliteFile(config.dataDir);
  throw new CommandError(
    `Стены здесь ещё нет: ${toLine(place)}. Проверьте DATA_DIR и DATABASE_URL или запустите ./stena.`,
  );
}
