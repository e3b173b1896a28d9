import { readFile } from 'node:fs/promises';
import { refuseMissingWall } from '../admin/open-wall.ts';
import { sqliteFile } from '../db/open-database.ts';
import { secretFile } from '../secrets.ts';
import { writeChecksummed } from './checksum.ts';
import { copySqlite, inspectSqliteCopy } from './sqlite-copy.ts';
import { refuseForeignSchema } from './sqlite-schema.ts';

/** One file that holds all of a data folder that must survive; returns its size. */
export async function backUpSqlite(dataDir: string, file: string): Promise<number> {
  await refuseMissingWall({ databaseUrl: undefined, dataDir });
  const secret = await readKeptSecret(dataDir);
  return writeChecksummed(file, async (draft) => {
    copySqlite(sqliteFile(dataDir), draft, secret);
    await refuseForeignSchema(draft, inspectSqliteCopy(draft).version);
  });
}

async function readKeptSecret(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(secretFile(dataDir), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
