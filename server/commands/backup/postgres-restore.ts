import type { Client } from 'pg';
import { loadMigrations } from '../../db/migrate.ts';
import { migratePostgres } from '../../db/postgres/migrate-postgres.ts';
import { refuseOtherChecksum } from './checksummed-file.ts';
import { kindOf, refuseNewer, refuseOther } from './copy-kind.ts';
import { moveRows } from './move-rows.ts';
import { inspectPostgresCopy, schema } from './postgres-copy.ts';
import { connectionOf, isInUse, refuseOlderTool, runTool, serverMajor, withClient } from './postgres-tools.ts';
import { inUse, wouldReplace } from './refusals.ts';
import { asideName } from './set-aside.ts';
import { inspectSqliteCopy, refuseForeignSchema } from './sqlite-copy.ts';

/** Restores a copy into the database; returns the name of the schema that now holds the previous data, if any. */
export async function restorePostgres(
  databaseUrl: string,
  file: string,
  replace: boolean,
): Promise<string | undefined> {
  const kind = await kindOf(file);
  await refuseOtherChecksum(file);
  const load = kind === 'sqlite' ? await loadSqlite(file) : await loadPostgres(file);
  return withClient(databaseUrl, async (client) => {
    const old = (await tablesOf(client)).length > 0;
    if (old && !replace) throw wouldReplace('база PostgreSQL (DATABASE_URL)');
    if (await isInUse(client)) throw inUse();
    const aside = old ? asideName() : undefined;
    if (aside) await setAside(client, aside);
    try {
      await load(databaseUrl, client);
    } catch (error) {
      await undoRestore(client, aside);
      throw error;
    }
    // A dump contains no planner statistics.
    await client.query('analyze');
    return aside && `схема ${aside}`;
  });
}

type Load = (databaseUrl: string, client: Client) => Promise<void>;

async function loadPostgres(file: string): Promise<Load> {
  await refuseNewer(await inspectPostgresCopy(file), 'postgres');
  return async (databaseUrl, client) => {
    await refuseOlderTool('pg_restore', await serverMajor(client));
    const { dbname, env } = connectionOf(databaseUrl);
    const how = ['--single-transaction', '--no-owner', '--no-privileges', `--schema=${schema}`];
    await runTool('pg_restore', [...how, dbname, file], env);
  };
}

/** Moves a copy of a wall on SQLite to PostgreSQL. */
async function loadSqlite(file: string): Promise<Load> {
  const { version } = inspectSqliteCopy(file);
  await refuseOther(version, 'postgres');
  await refuseForeignSchema(file, version);
  return async (databaseUrl, client) => {
    await migratePostgres(databaseUrl, await loadMigrations('postgres'));
    await moveRows(file, client);
  };
}

const tablesOf = async (client: Client): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    'select quote_ident(tablename) as name from pg_tables where schemaname = $1',
    [schema],
  );
  return rows.map(({ name }) => name);
};

const setAside = (client: Client, aside: string) =>
  client.query(`begin; alter schema ${schema} rename to ${aside}; create schema ${schema}; commit`);

/** Undoes a failed restore: removes the copy and moves the previous data back. */
async function undoRestore(client: Client, aside: string | undefined): Promise<void> {
  await client.query('rollback');
  if (aside) {
    await client.query(`begin; drop schema ${schema} cascade; alter schema ${aside} rename to ${schema}; commit`);
  } else {
    const tables = await tablesOf(client);
    if (tables.length > 0) await client.query(`drop table ${tables.join(', ')} cascade`);
  }
}
