import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Kysely } from 'kysely';
import pg from 'pg';
import type { Config } from '../config.ts';
import { makeDataFolder } from '../data-folder.ts';
import { type Database, StorageUnfit } from './database.ts';
import { connect } from './postgres/connect.ts';
import { inPostgresSnapshot, openPostgres } from './postgres/open-postgres.ts';
import { inSqliteSnapshot, openSqlite } from './sqlite/open-sqlite.ts';
import type { Schema } from './schema.ts';

/** A folder or schema with replaced data is named with this prefix and the time of the replacement. */
export const asidePrefix = 'replaced_';

export const sqliteFile = (dataDir: string): string => join(dataDir, 'stena.sqlite');

/** Opens and migrates the configured database. `readUrls` are standbys of the PostgreSQL. */
export async function openDatabase(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  onError: (error: Error) => void,
  readUrls: readonly string[] = [],
): Promise<Database> {
  await refuseUnfinishedRestore({ databaseUrl, dataDir });
  if (databaseUrl) return openPostgres(databaseUrl, onError, { readUrls });
  await makeDataFolder(dataDir);
  return openSqlite(sqliteFile(dataDir), {
    // Acknowledged writes are safe; further writes could not be made durable.
    onSyncFailure: ({ message }) => {
      process.stderr.write(`The disk refused to sync (${message}): stopping, as nothing more can be promised.\n`);
      // The process exits at once, before other code can run.
      process.exit(1);
    },
  });
}

/** Reads a database that other processes may be using. All queries of `work` see the state at the first query. */
export function inSnapshot<T>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  work: (read: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  if (databaseUrl) return inPostgresSnapshot(databaseUrl, work);
  return inSqliteSnapshot(sqliteFile(dataDir), work);
}

/** Whether the configured database holds a wall; opening it would create one. */
export async function hasWall({ databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<boolean> {
  if (databaseUrl) return isMigrated(databaseUrl);
  const file = await stat(sqliteFile(dataDir)).catch(() => undefined);
  return file !== undefined && file.size > 0 && hasTables(sqliteFile(dataDir));
}

function hasTables(file: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    return database.prepare("select 1 from sqlite_schema where name = 'migrations'").get() !== undefined;
  } catch {
    // A damaged or locked file counts as a wall.
    return true;
  } finally {
    database?.close();
  }
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

/**
 * Refuses to begin an empty wall where a restore was killed after it had set the previous wall aside: posts written in the empty
 * wall would be lost when the restore is finished or undone.
 */
export async function refuseUnfinishedRestore({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<void> {
  const aside = databaseUrl ? await schemaAside(databaseUrl) : await folderAside(dataDir);
  if (aside === undefined) return;
  const [place, back] = databaseUrl
    ? [`схеме ${aside}`, `psql -1 -c 'drop schema public' -c 'alter schema ${aside} rename to public' "$DATABASE_URL"`]
    : [aside, `ln -f '${aside}'/* '${dataDir}' && rm -r '${aside}'`];
  throw new StorageUnfit(
    `Восстановление не закончено: стены нет, прежняя лежит в ${place}. Повторите ./stena restore ФАЙЛ или верните прежнюю: ${back}`,
  );
}

async function folderAside(dataDir: string): Promise<string | undefined> {
  const hasDatabase = (folder: string) => hasWall({ databaseUrl: undefined, dataDir: folder });
  if (await hasDatabase(dataDir)) return undefined;
  const names = (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith(asidePrefix));
  for (const name of names.toSorted().toReversed()) {
    if (await hasDatabase(join(dataDir, name))) return join(dataDir, name);
  }
  return undefined;
}

async function schemaAside(connectionString: string): Promise<string | undefined> {
  const client = await connect(connectionString);
  try {
    const { rows } = await client.query<{ name: string }>(
      `select nspname as name from pg_namespace
       where starts_with(nspname, $1) and to_regclass('migrations') is null order by 1 desc limit 1`,
      [asidePrefix],
    );
    return rows[0]?.name;
  } finally {
    await client.end();
  }
}
