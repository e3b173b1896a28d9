import { Refusal } from '../admin/refusal.ts';
import { makeDataFolder } from '../data-folder.ts';
import { hasWall } from '../db/has-wall.ts';
import { sqliteFile } from '../db/open-database.ts';
import { refuseOtherChecksum } from './checksum.ts';
import { kindOf, refuseNewer } from './copy-kind.ts';
import { holdSqlite } from './hold-sqlite.ts';
import { putInPlace } from './put-in-place.ts';
import { wouldReplace } from './refusals.ts';
import { inspectSqliteCopy } from './sqlite-copy.ts';
import { refuseForeignSchema } from './sqlite-schema.ts';

/** Puts a copy where the wall lies; returns the folder that whatever was there is in now. */
export async function restoreSqlite(dataDir: string, file: string, replace: boolean): Promise<string | undefined> {
  if ((await kindOf(file)) !== 'sqlite') {
    throw new Refusal('Это копия стены на PostgreSQL, а по настройкам стена на SQLite: задайте DATABASE_URL.');
  }
  await refuseOtherChecksum(file);
  const { version, secret } = inspectSqliteCopy(file);
  await refuseNewer(version, 'sqlite');
  await refuseForeignSchema(file, version);

  await makeDataFolder(dataDir);
  const database = sqliteFile(dataDir);
  const old = await hasWall({ databaseUrl: undefined, dataDir });
  if (old && !replace) throw wouldReplace(database);
  const letGo = old ? holdSqlite(database) : () => {};
  try {
    return await putInPlace(file, secret, dataDir);
  } finally {
    letGo();
  }
}
