import { refuseMissingWall } from '../admin/open-wall.ts';
import { writeChecksummed } from './checksum.ts';
import { inspectPostgresCopy, schema } from './postgres-copy.ts';
import { serverMajor, withClient } from './postgres-server.ts';
import { connectionOf, refuseOlderTool, runTool } from './postgres-tools.ts';

/** One file by pg_dump with all of the wall's database; returns its size. */
export async function backUpPostgres(databaseUrl: string, file: string): Promise<number> {
  await refuseMissingWall({ databaseUrl, dataDir: '' });
  await refuseOlderTool('pg_dump', await withClient(databaseUrl, serverMajor));
  const { dbname, env } = connectionOf(databaseUrl);
  const what = ['--format=custom', '--no-owner', '--no-privileges', `--schema=${schema}`];
  return writeChecksummed(file, async (draft) => {
    await runTool('pg_dump', [...what, `--file=${draft}`, dbname], env);
    await inspectPostgresCopy(draft);
  });
}
