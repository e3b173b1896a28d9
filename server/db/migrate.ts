import { readdir, readFile } from 'node:fs/promises';
import { type Database, StorageUnfit } from './database.ts';

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

const folder = new URL('./migrations/', import.meta.url);

/** File names hold number, name and, where the engines differ, the engine: `0001-initial.sqlite.sql`. */
export async function loadMigrations(engine: Database['engine']): Promise<Migration[]> {
  const isForIt = new RegExp(String.raw`^\d+-[^.]+(\.${engine})?\.sql$`);
  const files = (await readdir(folder)).filter((file) => isForIt.test(file)).toSorted();
  return Promise.all(
    files.map(async (file) => ({
      version: Number(file.slice(0, 4)),
      name: file,
      sql: await readFile(new URL(file, folder), 'utf8'),
    })),
  );
}

/** The statements of a file that is no migration of its own but runs before the first one. */
export const readTables = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');

/** Returns the migrations still to apply; throws StorageUnfit when the database was not made by these migrations. */
export function pendingMigrations(all: Migration[], applied: Array<Pick<Migration, 'version' | 'name'>>): Migration[] {
  const names = new Map(all.map(({ version, name }) => [version, name]));
  const unknown = applied.find(({ version, name }) => names.has(version) && names.get(version) !== name);
  if (unknown) {
    throw new StorageUnfit(
      `База сделана до первого выпуска (миграция ${unknown.name}), и обновить её нельзя: начните с новой.`,
    );
  }
  const newest = all.at(-1)!.version;
  const current = Math.max(0, ...applied.map(({ version }) => version));
  if (current > newest) {
    throw new StorageUnfit(
      `База версии ${current}, эта программа знает ${newest}: в базу писала более новая программа.`,
    );
  }
  return all.filter((migration) => migration.version > current);
}
