import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { secretFile } from '../secrets.ts';
import { StorageUnfit } from './database.ts';
import { hasWall, refuseUnfinishedRestore, sqliteFile } from './open-database.ts';

type Location = Pick<Config, 'databaseUrl' | 'dataDir' | 'copyTo'>;

/**
 * Refuses to begin an empty wall where a wall has been lost: the nightly copies of the new wall would replace those of the lost
 * one. Marks of a wall are looked for before the wall itself. In the other order, a wall that another process makes in between
 * would seem to be lost.
 */
export async function refuseLostWall(location: Location): Promise<void> {
  const copy = await newestCopy(location);
  const mark = copy ?? (await markBesideDatabase(location));
  // A database that does not respond is reported when it is opened.
  if (mark === undefined || (await hasWall(location).catch(() => true))) return;
  await refuseUnfinishedRestore(location);
  const lost = location.databaseUrl
    ? 'в базе PostgreSQL (DATABASE_URL) нет таблиц'
    : `базы ${sqliteFile(location.dataDir)} нет или она пуста`;
  throw new StorageUnfit(
    `Стена пропала: ${lost}, но от неё осталось ${mark}. Верните её из копии: ./stena restore ${copy ?? 'ФАЙЛ'}. Если нужна новая, пустая стена: ./stena new-wall`,
  );
}

/** The newest copy in the folders where copies are kept; `-backup` is the folder of the nightly unit. */
async function newestCopy({ dataDir, copyTo }: Location): Promise<string | undefined> {
  const folders = [dataDir, `${dataDir}-backup`, ...(copyTo === undefined ? [] : [copyTo])];
  const copies = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch(() => []);
      return Promise.all(
        names
          .filter((name) => name.endsWith('.backup'))
          .map(async (name) => ({ file: join(folder, name), at: (await stat(join(folder, name))).mtimeMs })),
      );
    }),
  );
  return copies.flat().toSorted((one, other) => other.at - one.at)[0]?.file;
}

/**
 * A file that cannot exist without a database: a first start makes the tables before the secret, and SQLite writes the first
 * page of a database before its WAL.
 */
async function markBesideDatabase({ databaseUrl, dataDir }: Location): Promise<string | undefined> {
  if (databaseUrl) return undefined;
  const isThere = (file: string) => stat(file).then(Boolean, () => false);
  for (const file of [secretFile(dataDir), `${sqliteFile(dataDir)}-wal`]) if (await isThere(file)) return file;
  return undefined;
}
