import { stat } from 'node:fs/promises';
import pg from 'pg';
import type { Config } from '../config.ts';
import { sqliteFile } from './open-database.ts';

/** Whether there is a wall where the settings say: opening the database would make a new one. */
export async function hasWall({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<boolean> {
  if (databaseUrl) return isMigrated(databaseUrl);
  const file = await stat(sqliteFile(dataDir)).catch(() => undefined);
  return file !== undefined && file.size > 0;
}

async function isMigrated(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 3_000 });
  await client.connect();
  try {
    const { rows } = await client.query<{ found: string | null }>(`select to_regclass('migrations')::text as found`);
    return rows[0]!.found !== null;
  } finally {
    await client.end();
  }
}
