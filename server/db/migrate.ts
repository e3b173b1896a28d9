import { readdir, readFile } from 'node:fs/promises';
import type { Database } from './database.ts';
import { StorageUnfit } from './database.ts';

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

const folder = new URL('./migrations/', import.meta.url);

/** `0001-wall.sqlite.sql`: number, name, engine. */
export async function loadMigrations(engine: Database['engine']): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(`.${engine}.sql`)).toSorted();
  return Promise.all(
    files.map(async (file) => ({
      version: Number(file.slice(0, 4)),
      name: file,
      sql: await readFile(new URL(file, folder), 'utf8'),
    })),
  );
}

/** What is left to apply on a database at `current`; refuses a database that a newer version has written. */
export function pendingMigrations(all: Migration[], current: number): Migration[] {
  const newest = all.at(-1)!.version;
  if (current > newest) {
    throw new StorageUnfit(
      `The database is at version ${current}, this program knows ${newest}: it was written by a newer version of the program.`,
    );
  }
  return all.filter((migration) => migration.version > current);
}
