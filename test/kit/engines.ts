import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../server/config.ts';
import type { Database } from '../../server/db/database.ts';
import { loadMigrations } from '../../server/db/migrate.ts';
import { openDatabase, sqliteFile } from '../../server/db/open-database.ts';
import { openPostgres } from '../../server/db/postgres/open-postgres.ts';
import { migrateSqlite } from '../../server/db/sqlite/migrate-sqlite.ts';
import { type FreshDatabase, freshDatabase, migratedDatabase } from './postgres.ts';

export type Engine = Database['engine'];

/** The engines. Every suite that uses storage runs on each of them. */
export const engines = ['sqlite', 'postgres'] as const satisfies Engine[];

/** The settings with which this process or another one opens the same database. */
export type StorageSettings = Pick<Config, 'databaseUrl' | 'dataDir'>;

/** `await using` removes it. */
export interface FreshStorage extends AsyncDisposable {
  storage: StorageSettings;
  remove(): Promise<void>;
}

/** A new, empty database that can be opened. `system` is the folder of another PostgreSQL than the tests’ own. */
export const freshStorage = async (engine: Engine, system?: string): Promise<FreshStorage> =>
  makeStorage(engine === 'postgres' ? await freshDatabase(system) : undefined);

/** A new database that is migrated already. The copy of a migrated database takes less time than a migration. */
export async function migratedStorage(engine: Engine): Promise<FreshStorage> {
  if (engine === 'postgres') return makeStorage(await migratedDatabase());
  const fresh = await makeStorage(undefined);
  await writeFile(sqliteFile(fresh.storage.dataDir), await migratedFile(), { mode: 0o600 });
  return fresh;
}

async function makeStorage(postgres: FreshDatabase | undefined): Promise<FreshStorage> {
  const dataDir = await mkdtemp(join(tmpdir(), 'stena-data-'));
  const remove = async (): Promise<void> => {
    await postgres?.drop();
    await rm(dataDir, { recursive: true });
  };
  return { storage: { databaseUrl: postgres?.url, dataDir }, remove, [Symbol.asyncDispose]: remove };
}

let migrated: Promise<Uint8Array> | undefined;

/** The content of a migrated, empty SQLite database. */
const migratedFile = (): Promise<Uint8Array> => (migrated ??= migrateFile());

async function migrateFile(): Promise<Uint8Array> {
  await using fresh = await makeStorage(undefined);
  const file = sqliteFile(fresh.storage.dataDir);
  migrateSqlite(file, await loadMigrations('sqlite'));
  return readFile(file);
}

/** `await using` closes and removes it. */
export interface OpenedDatabase extends AsyncDisposable {
  db: Database;
  storage: StorageSettings;
  close(): Promise<void>;
}

/** Tests write up to a thousand rows at once. On a busy machine the last write waits longer than the usual limits. */
const timeoutMs = 60_000;
export const patientPostgres = { connectionMs: timeoutMs, statementMs: timeoutMs, readingMs: timeoutMs };

/** Opens a database as another process would, with limits that are long enough for tests. */
export const openStorage = (storage: StorageSettings, onError: (error: Error) => void = () => {}): Promise<Database> =>
  storage.databaseUrl ? openPostgres(storage.databaseUrl, onError, patientPostgres) : openDatabase(storage, onError);

/** A new, migrated, empty database. */
export async function openFresh(engine: Engine): Promise<OpenedDatabase> {
  const { storage, remove } = await migratedStorage(engine);
  const db = await openStorage(storage);
  const close = async (): Promise<void> => {
    await db.close();
    await remove();
  };
  return { db, storage, close, [Symbol.asyncDispose]: close };
}
