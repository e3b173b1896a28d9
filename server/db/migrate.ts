import { readdir, readFile } from 'node:fs/promises';
import { type Database, StorageUnavailable, StorageUnfit } from './database.ts';

export interface Migration {
  version: number;
  name: string;
  sql: string;
}

const folder = new URL('./migrations/', import.meta.url);

/** File names consist of number, name and, where the engines differ, the engine: `0001-initial.sqlite.sql`. */
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

/** Reads a file of this folder that is not a migration. */
export const readSqlFile = (name: string): Promise<string> => readFile(new URL(name, folder), 'utf8');

/** The refusal of all writes of this process after a newer program has changed the tables; undefined while it may write. */
export function refusalOfNewer(tables: number, known: readonly Migration[]): StorageUnavailable | undefined {
  const newest = known.at(-1)!.version;
  if (tables <= newest) return undefined;
  return new StorageUnavailable(
    `A newer program has changed the tables to version ${tables}, and this one knows ${newest}: stop it`,
  );
}

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
