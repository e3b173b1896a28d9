import { DatabaseSync } from 'node:sqlite';
import { damaged, notACopy } from './refusals.ts';

export interface SqliteCopy {
  /** Of the last migration. */
  version: number;
  /** What the data folder kept; null where the operator gives it by SECRET. */
  secret: string | null;
}

/** A copy is a database of its own: the wall's, and one table of what else must survive. */
export const copyTable = 'backup';
const kept = `create table ${copyTable} (made_at integer not null, secret text) strict`;

/** Copies one moment of a database that others may be writing to. They do not wait. */
export function copySqlite(source: string, copy: string, secret: string | null): void {
  const wall = new DatabaseSync(source, { timeout: 5_000, readOnly: true });
  try {
    wall.prepare('vacuum into ?').run(copy);
  } finally {
    wall.close();
  }
  const database = new DatabaseSync(copy);
  try {
    database.exec(kept);
    database.prepare('insert into backup values (unixepoch(), ?)').run(secret);
  } finally {
    database.close();
  }
}

/** Reads all of a copy, to say what it is or that it is damaged. */
export function inspectSqliteCopy(file: string): SqliteCopy {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare("select name from sqlite_schema where name in ('backup', 'migrations')").all();
    if (tables.length < 2) throw notACopy(file);
    const found = database.prepare('pragma integrity_check(1)').get()!['integrity_check'];
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

/** Makes a copy the wall's database again. */
export function dropWhatWasKept(file: string): void {
  const database = new DatabaseSync(file);
  try {
    // The secret must not stay behind in a free page.
    database.exec('pragma secure_delete = on; drop table backup');
  } finally {
    database.close();
  }
}
