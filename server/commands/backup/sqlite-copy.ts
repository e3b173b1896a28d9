import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { loadMigrations } from '../../db/migrate.ts';
import { sqliteFile } from '../../db/open-database.ts';
import { checkFile, namingDamage } from '../../db/sqlite/damage.ts';
import { applyMigrations } from '../../db/sqlite/migrate-sqlite.ts';
import { secretFile } from '../../secrets.ts';
import { CommandError, toLine } from '../admin/terminal.ts';
import { refuseMissingWall } from '../admin/open-wall.ts';
import { writeChecksummed } from './checksummed-file.ts';
import { damaged, notACopy } from './backup-errors.ts';
import type { HeldOpen } from './held-open.ts';

/**
 * Writes one file with the database and the secret of the data folder; returns its size in bytes. `held` replaces the database at the
 * path. No server writes into it, because it refuses writes then.
 */
export async function backUpSqlite(dataDir: string, file: string, held?: HeldOpen): Promise<number> {
  if (!held) await refuseMissingWall({ databaseUrl: undefined, dataDir });
  const secret = await readSecret(dataDir);
  return writeChecksummed(file, async (draft) => {
    if (held) await copyHeld(held, draft, secret);
    else copySqlite(sqliteFile(dataDir), draft, secret);
    await refuseForeignSchema(draft, inspectSqliteCopy(draft).version);
  });
}

async function copyHeld(held: HeldOpen, draft: string, secret: string | null): Promise<void> {
  const folder = await mkdtemp(`${draft}.open-`);
  try {
    // SQLite needs names that belong together.
    await copyFile(held.database, sqliteFile(folder));
    await copyFile(held.wal, `${sqliteFile(folder)}-wal`);
    copySqlite(sqliteFile(folder), draft, secret);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs a statement while the server may be running. Checkpoints are left to the server. A missing database is not created. */
export function writeSqlite(dataDir: string, statement: string): void {
  const database = new DatabaseSync(new URL(`${pathToFileURL(sqliteFile(dataDir)).href}?mode=rw`), { timeout: 5_000 });
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

export interface SqliteCopy {
  /** Version of the last migration. */
  version: number;
  /** The secret of the data folder; null when the operator sets SECRET. */
  secret: string | null;
}

/** A copy is a complete database with an additional table for the secret. */
const copyTable = 'backup';
const createCopyTable = `create table ${copyTable} (made_at integer not null, secret text) strict`;

/** Copies a snapshot of a database without blocking its writers. */
function copySqlite(source: string, copy: string, secret: string | null): void {
  // The copy is built from the tables alone, so it would not show a damaged index.
  checkFile(source, 'quick_check');
  const wall = new DatabaseSync(source, { timeout: 5_000, readOnly: true });
  try {
    namingDamage(source, () => wall.prepare('vacuum into ?').run(copy));
  } finally {
    wall.close();
  }
  const database = new DatabaseSync(copy);
  try {
    database.exec(createCopyTable);
    database.prepare('insert into backup values (unixepoch(), ?)').run(secret);
  } finally {
    database.close();
  }
}

/** Reads the whole copy, unless it is accepted as it is; throws when it is damaged or not a copy. */
export function inspectSqliteCopy(file: string, asItIs = false): SqliteCopy {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_schema where name in ('backup', 'migrations')").all();
    if (tables.length < 2) throw notACopy(file);
    const found = asItIs ? 'ok' : database.prepare('pragma integrity_check(1)').get()!['integrity_check'];
    if (found !== 'ok') throw damaged(file, String(found));
    const { version } = database.prepare('select max(version) as version from migrations').get()!;
    const { secret } = database.prepare('select secret from backup').get()!;
    return { version: Number(version), secret: secret as string | null };
  } catch (error) {
    throw error instanceof Error && 'errcode' in error ? damaged(file, error.message) : error;
  } finally {
    database.close();
  }
}

/** Removes the table that only copies have. */
export function dropCopyTable(file: string): void {
  const database = new DatabaseSync(file);
  try {
    // Without secure_delete the secret could remain in a free page.
    database.exec('pragma secure_delete = on; drop table backup');
  } finally {
    database.close();
  }
}

/**
 * Refuses a copy whose schema differs from what the migrations up to its version create: a trigger in it would run with
 * the server's writes.
 */
export async function refuseForeignSchema(file: string, version: number): Promise<void> {
  const migrations = (await loadMigrations('sqlite')).filter((migration) => migration.version <= version);
  const expected = schemaOf(':memory:', (database) => applyMigrations(database, migrations));
  const found = schemaOf(file);
  const names = [...expected.symmetricDifference(found)].map((entry) => entry.split('\n', 1)[0]!);
  if (names.length === 0) return;
  throw new CommandError(
    `Таблицы в копии не такие, как у стены версии ${version}: ${toLine([...new Set(names)].join(', '))}. Такую копию восстановить нельзя.`,
  );
}

/**
 * Type, name and SQL statement of every object in the schema. The statement includes its comments, so no comment inside a
 * statement of a released migration may change: copies made before would be refused.
 */
function schemaOf(file: string, prepare?: (database: DatabaseSync) => void): Set<string> {
  const database = new DatabaseSync(file, { readOnly: !prepare });
  try {
    prepare?.(database);
    const rows = database
      .prepare(
        "select type, name, sql from sqlite_schema where not (type = 'table' and (name = ? or name glob 'sqlite_stat*'))",
      )
      .all(copyTable);
    return new Set(
      rows.map(({ type, name, sql }) => `${String(type)} ${String(name)}\n${String(sql).replace(/\s+/g, ' ')}`),
    );
  } finally {
    database.close();
  }
}
