import { refuseMissingWall } from '../admin/open-wall.ts';
import { serverMajor } from '../../db/postgres/migrate-postgres.ts';
import { writeChecksummed } from './checksummed-file.ts';
import { inspectPostgresCopy, schema } from './postgres-copy.ts';
import { refuseOlderTool, runOnDatabase, withClient } from './postgres-tools.ts';

/** Writes a dump of the wall's schema with pg_dump; returns its size in bytes. */
export async function backUpPostgres(databaseUrl: string, file: string): Promise<number> {
  await refuseMissingWall({ databaseUrl, dataDir: '' });
  await refuseOlderTool('pg_dump', await withClient(databaseUrl, serverMajor));
  // Their positions are numbers of transactions of this server.
  const without = ['changes', 'announcements'].map((table) => `--exclude-table-data=${schema}.${table}`);
  const what = ['--format=custom', '--no-owner', '--no-privileges', `--schema=${schema}`, ...without];
  return writeChecksummed(file, async (draft) => {
    await runOnDatabase('pg_dump', [...what, `--file=${draft}`], databaseUrl);
    await inspectPostgresCopy(draft);
  });
}
