import { DatabaseSync } from 'node:sqlite';
import { StorageUnfit } from '../database.ts';
import { type Migration, pendingMigrations } from '../migrate.ts';

/** Older ones have a bug that can corrupt a WAL database with several connections. */
const oldestSqlite = [3, 51, 3];
/** Another process may be migrating the same file; waiting is all there is to do at start. */
const lockPatienceMs = 60_000;

/** Brings the file to the newest version, on a connection of its own that waits for the disk. */
export function migrateSqlite(file: string, migrations: Migration[]): void {
  const database = new DatabaseSync(file, { timeout: lockPatienceMs });
  try {
    checkVersion(database);
    database.exec('pragma journal_mode = wal; pragma synchronous = full');
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
  const current = database.prepare('select coalesce(max(version), 0) as version from migrations').get()!;
  for (const { version, name, sql } of pendingMigrations(migrations, Number(current['version']))) {
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
    throw new StorageUnfit(`SQLite ${version} is too old: ${oldestSqlite.join('.')} or newer is needed.`);
  }
}
