import { link, mkdir, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { asidePrefix, sqliteFile } from '../../db/open-database.ts';
import { secretFile } from '../../secrets.ts';
import { makeDurable } from './checksummed-file.ts';

/** Name of the folder or schema for the replaced data. */
export const asideName = (): string => `${asidePrefix}${new Date().toISOString().slice(0, 23).replace(/\D/g, '_')}`;

/**
 * Links the files to be replaced into a new folder; returns the folder, or undefined if there are no such files. The
 * caller then replaces them.
 */
export async function setAside(dataDir: string): Promise<string | undefined> {
  const present = new Set(await readdir(dataDir));
  const database = basename(sqliteFile(dataDir));
  const named = [database, basename(secretFile(dataDir))].filter((name) => present.has(name));
  // Files of a damaged or deleted database, which SQLite would apply to the new one.
  const strays = ['-wal', '-shm', '-journal'].map((ending) => database + ending).filter((name) => present.has(name));
  if (named.length + strays.length === 0) return undefined;

  const folder = join(dataDir, asideName());
  await mkdir(folder, { mode: 0o700 });
  for (const name of named) await link(join(dataDir, name), join(folder, name));
  for (const name of strays) await rename(join(dataDir, name), join(folder, name));
  await makeDurable(folder);
  return folder;
}
