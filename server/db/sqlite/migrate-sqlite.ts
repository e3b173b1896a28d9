import { DatabaseSync } from 'node:sqlite';
import { StorageUnfit } from '../database.ts';
import { type Migration, pendingMigrations } from '../migrate.ts';

/** Older versions cannot change whether a column may be null. */
const oldestSqlite = [3, 53, 0];
/** Maximum wait for another process that is migrating the same file. */
const lockTimeoutMs = 60_000;

/** Migrates the file to the newest version, on a separate connection with `synchronous = full`. */
export function migrateSqlite(file: string, migrations: Migration[]): void {
  const database = new DatabaseSync(file, { timeout: lockTimeoutMs });
  try {
    checkVersion(database);
    // A dropped table may have texts of posts that are deleted later.
    database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma secure_delete = on');
    applyMigrations(database, migrations);
  } finally {
    database.close();
  }
}

export function applyMigrations(database: DatabaseSync, migrations: Migration[]): void {
  database.exec('begin immediate');
  database.exec(
    'create table if not exists migrations (version integer primary key, name text not null, applied_at integer not null) strict',
  );
  const applied = database.prepare('select version, name from migrations').all();
  for (const { version, name, sql } of pendingMigrations(migrations, applied as unknown as Migration[])) {
    database.exec(sql);
    database.prepare('insert into migrations values (?, ?, unixepoch())').run(version, name);
  }
  database.exec('commit');
}

function checkVersion(database: DatabaseSync): void {
  const version = String(database.prepare('select sqlite_version() as version').get()!['version']);
  const parts = version.split('.').map(Number);
  const at = oldestSqlite.findIndex((part, i) => part !== parts[i]);
  if (at >= 0 && parts[at]! < oldestSqlite[at]!) {
    throw new StorageUnfit(`SQLite ${version} устарел: нужен ${oldestSqlite.join('.')} или новее.`);
  }
}
