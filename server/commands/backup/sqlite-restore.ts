import { randomBytes } from 'node:crypto';
import { chmod, copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { makeDataFolder } from '../../data-folder.ts';
import { hasWall, sqliteFile } from '../../db/open-database.ts';
import { isBusy } from '../../db/sqlite/sqlite-errors.ts';
import { secretFile } from '../../secrets.ts';
import { CommandError, toLine } from '../admin/terminal.ts';
import { kindOf, refuseNewer } from './copy-kind.ts';
import { makeDurable, refuseOtherChecksum } from './checksummed-file.ts';
import { inUse, wouldReplace } from './backup-errors.ts';
import { refuseHeldOpen } from './held-open.ts';
import { setAside } from './set-aside.ts';
import { dropCopyTable, inspectSqliteCopy, refuseForeignSchema } from './sqlite-copy.ts';

/** Replaces the database with a copy; returns the folder that holds the previous one, if there was any. `asItIs` accepts damage. */
export async function restoreSqlite(
  dataDir: string,
  file: string,
  replace: boolean,
  asItIs = false,
): Promise<string | undefined> {
  if ((await kindOf(file)) !== 'sqlite') {
    throw new CommandError('Это копия стены на PostgreSQL, а по настройкам стена на SQLite: задайте DATABASE_URL.');
  }
  if (!asItIs) await refuseOtherChecksum(file);
  const { version, secret } = inspectSqliteCopy(file, asItIs);
  await refuseNewer(version, 'sqlite');
  await refuseForeignSchema(file, version);

  await makeDataFolder(dataDir);
  const database = sqliteFile(dataDir);
  await refuseHeldOpen(database);
  const old = await hasWall({ databaseUrl: undefined, dataDir });
  if (old && !replace) throw wouldReplace(database);
  const unlock = old ? lockSqlite(database) : () => {};
  try {
    return await putInPlace(file, secret, dataDir);
  } finally {
    unlock();
  }
}

/**
 * Locks a database that is about to be replaced and merges its WAL into the file; returns the function that unlocks it.
 * Leaving WAL mode fails while another process has the file open, so it also detects a running server.
 */
function lockSqlite(file: string): () => void {
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

/**
 * Moves a verified copy into the data folder, completely or not at all; returns the folder of the previous data, if
 * any.
 */
async function putInPlace(file: string, secret: string | null, dataDir: string): Promise<string | undefined> {
  const [database, secretPath] = [sqliteFile(dataDir), secretFile(dataDir)];
  const suffix = randomBytes(6).toString('hex');
  const [newDatabase, newSecret] = [`${database}.${suffix}`, `${secretPath}.${suffix}`];
  try {
    await copyFile(file, newDatabase);
    await chmod(newDatabase, 0o600);
    dropCopyTable(newDatabase);
    await makeDurable(newDatabase);
    if (secret !== null) await writeFile(newSecret, secret, { mode: 0o600, flush: true });

    const aside = await setAside(dataDir);
    if (secret !== null) {
      // The server refuses to start without a database, so the new secret is never used with the database of another wall.
      await rm(database, { force: true });
      await rename(newSecret, secretPath);
    }
    await rename(newDatabase, database);
    await makeDurable(dataDir);
    return aside;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    throw new CommandError(`Стена не восстановлена: ${toLine(error.message)}`);
  } finally {
    for (const draft of [newDatabase, newSecret]) await rm(draft, { force: true });
  }
}
