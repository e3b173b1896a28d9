import { serverMajor } from '../../db/postgres/migrate-postgres.ts';
import { CommandError } from '../admin/terminal.ts';
import { refuseMissingWall } from '../admin/open-wall.ts';
import { writeChecksummed } from './checksummed-file.ts';
import { damaged, foreign, notACopy } from './backup-errors.ts';
import { refuseOlderTool, runOnDatabase, runTool, withClient } from './postgres-tools.ts';

/** Writes a dump of the wall's schema with pg_dump; returns its size in bytes. */
export async function backUpPostgres(databaseUrl: string, file: string): Promise<number> {
  await refuseMissingWall({ databaseUrl, dataDir: '' });
  await refuseOlderTool('pg_dump', await withClient(databaseUrl, serverMajor));
  // The rows of these tables have positions that are transaction numbers of this server, which mean nothing on another server.
  const without = ['changes', 'announcements'].map((table) => `--exclude-table-data=${schema}.${table}`);
  const what = ['--format=custom', '--no-owner', '--no-privileges', `--schema=${schema}`, ...without];
  return writeChecksummed(file, async (draft) => {
    await runOnDatabase('pg_dump', [...what, `--file=${draft}`], databaseUrl);
    await inspectPostgresCopy(draft);
  });
}

/** Entries of `pg_restore --list` that the migrations create or that every dump contains. */
const expectedEntry =
  /^(TABLE|TABLE DATA|SEQUENCE|SEQUENCE OWNED BY|SEQUENCE SET|VIEW|DEFAULT|CONSTRAINT|FK CONSTRAINT|INDEX|SCHEMA|COMMENT|STATISTICS DATA) (public|-) /;

/** Schema of the wall's tables. */
export const schema = 'public';

/** Reads the whole copy; resolves to the version of its last migration, and rejects a damaged copy. */
export async function inspectPostgresCopy(file: string): Promise<number> {
  try {
    await runTool('pg_restore', ['--file=/dev/null', file]);
  } catch (error) {
    // A missing program is reported unchanged.
    throw error instanceof CommandError && error.message.startsWith('pg_restore:')
      ? damaged(file, error.message)
      : error;
  }
  await refuseForeign(file);
  const migrations = ['--data-only', `--schema=${schema}`, '--table=migrations', '--file=-'];
  const rows = await runTool('pg_restore', [...migrations, file]);
  const versions = [...rows.matchAll(/^(\d+)\t/gm)].map(([, version]) => Number(version));
  if (versions.length === 0) throw notACopy(file);
  return Math.max(...versions);
}

/** Refuses a copy with a trigger, a rule or a function, which would run with the server's writes. */
async function refuseForeign(file: string): Promise<void> {
  const list = await runTool('pg_restore', ['--list', file]);
  const entries = [...list.matchAll(/^\d+; \d+ \d+ (.+)$/gm)].map(([, entry]) => entry!);
  const others = entries.filter((entry) => !expectedEntry.test(entry));
  if (others.length > 0) throw foreign(others);
}
