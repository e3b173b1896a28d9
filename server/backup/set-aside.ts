import { link, mkdir, readdir, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { sqliteFile } from '../db/open-database.ts';
import { secretFile } from '../secrets.ts';
import { makeDurable } from './durable.ts';

/** A name for what was there until now, that a folder and a schema may bear. */
export const asideName = (): string => `replaced_${new Date().toISOString().slice(0, 19).replace(/\D/g, '_')}`;

/**
 * Gives what is about to be replaced a second place, where it stays; returns it, if there was anything. The first place is
 * to be taken by renaming, so that at any moment the one wall or the other is there.
 */
export async function setAside(dataDir: string): Promise<string | undefined> {
  const there = new Set(await readdir(dataDir));
  const database = basename(sqliteFile(dataDir));
  const named = [database, basename(secretFile(dataDir))].filter((name) => there.has(name));
  // Of a database that is damaged or gone: another one beside them would take them for its own.
  const strays = ['-wal', '-shm', '-journal'].map((ending) => database + ending).filter((name) => there.has(name));
  if (named.length + strays.length === 0) return undefined;

  const folder = join(dataDir, asideName());
  await mkdir(folder, { mode: 0o700 });
  for (const name of named) await link(join(dataDir, name), join(folder, name));
  for (const name of strays) await rename(join(dataDir, name), join(folder, name));
  await makeDurable(folder);
  return folder;
}
