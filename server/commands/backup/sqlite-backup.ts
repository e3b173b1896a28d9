import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { refuseMissingWall } from '../admin/open-wall.ts';
import { sqliteFile } from '../../db/open-database.ts';
import { secretFile } from '../../secrets.ts';
import { writeChecksummed } from './checksummed-file.ts';
import { copySqlite, inspectSqliteCopy, refuseForeignSchema } from './sqlite-copy.ts';

/** Writes one file with the database and the secret of the data folder; returns its size in bytes. */
export async function backUpSqlite(dataDir: string, file: string): Promise<number> {
  await refuseMissingWall({ databaseUrl: undefined, dataDir });
  const secret = await readSecret(dataDir);
  return writeChecksummed(file, async (draft) => {
    copySqlite(sqliteFile(dataDir), draft, secret);
    await refuseForeignSchema(draft, inspectSqliteCopy(draft).version);
  });
}

/** Runs a statement in the wall beside its server, which runs the checkpoints. */
export function writeSqlite(dataDir: string, statement: string): void {
  const database = new DatabaseSync(sqliteFile(dataDir), { timeout: 5_000 });
  try {
    database.exec(`pragma wal_autocheckpoint = 0; ${statement}`);
  } finally {
    database.close();
  }
}

async function readSecret(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(secretFile(dataDir), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
