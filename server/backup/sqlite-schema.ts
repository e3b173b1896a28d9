import { DatabaseSync } from 'node:sqlite';
import { Refusal } from '../admin/refusal.ts';
import { line } from '../admin/terminal.ts';
import { loadMigrations } from '../db/migrate.ts';
import { applyMigrations } from '../db/sqlite/migrate-sqlite.ts';
import { copyTable } from './sqlite-copy.ts';

/**
 * Refuses a copy that holds anything but what the migrations up to its version make. A trigger in it would run with the
 * server's writes.
 */
export async function refuseForeignSchema(file: string, version: number): Promise<void> {
  const migrations = (await loadMigrations('sqlite')).filter((migration) => migration.version <= version);
  const expected = schemaOf(':memory:', (database) => applyMigrations(database, migrations));
  const found = schemaOf(file);
  const names = [...expected.symmetricDifference(found)].map((entry) => entry.split('\n', 1)[0]!);
  if (names.length === 0) return;
  throw new Refusal(
    `Таблицы в копии не такие, как у стены версии ${version}: ${line([...new Set(names)].join(', '))}. Такую копию восстановить нельзя.`,
  );
}

/** Type and name of everything there is, and below that the statement that made it. */
function schemaOf(file: string, prepare?: (database: DatabaseSync) => void): Set<string> {
  const database = new DatabaseSync(file, { readOnly: !prepare });
  try {
    prepare?.(database);
    const rows = database
      .prepare("select type, name, sql from sqlite_schema where name <> ? and name not glob 'sqlite_stat*'")
      .all(copyTable);
    return new Set(
      rows.map(({ type, name, sql }) => `${String(type)} ${String(name)}\n${String(sql).replace(/\s+/g, ' ')}`),
    );
  } finally {
    database.close();
  }
}
