import type { Client } from 'pg';
import { refuseNewer, refuseOtherKind } from './copy-kind.ts';
import { inspectPostgresCopy, schema } from './postgres-copy.ts';
import { isInUse, serverMajor, withClient } from './postgres-server.ts';
import { connectionOf, refuseOlderTool, runTool } from './postgres-tools.ts';
import { inUse, wouldReplace } from './refusals.ts';
import { asideName } from './set-aside.ts';

/** Puts a copy into the database; returns the schema that whatever was there is in now. */
export async function restorePostgres(
  databaseUrl: string,
  file: string,
  replace: boolean,
): Promise<string | undefined> {
  await refuseOtherKind(file, 'postgres');
  await refuseNewer(await inspectPostgresCopy(file), 'postgres');
  return withClient(databaseUrl, async (client) => {
    await refuseOlderTool('pg_restore', await serverMajor(client));
    const old = await hasTables(client);
    if (old && !replace) throw wouldReplace('база PostgreSQL (DATABASE_URL)');
    if (await isInUse(client)) throw inUse();
    const aside = old ? asideName() : undefined;
    if (aside) await setAside(client, aside);
    try {
      await load(databaseUrl, file);
    } catch (error) {
      if (aside) await takeBack(client, aside);
      throw error;
    }
    // A copy holds no statistics: without them the first queries would be planned blindly.
    await client.query('analyze');
    return aside && `схема ${aside}`;
  });
}

async function hasTables(client: Client): Promise<boolean> {
  const { rows } = await client.query('select 1 from pg_tables where schemaname = $1 limit 1', [schema]);
  return rows.length > 0;
}

/** All of the copy, or nothing of it. */
async function load(databaseUrl: string, file: string): Promise<void> {
  const { dbname, env } = connectionOf(databaseUrl);
  const how = ['--single-transaction', '--no-owner', '--no-privileges', `--schema=${schema}`];
  await runTool('pg_restore', [...how, dbname, file], env);
}

const setAside = (client: Client, aside: string) =>
  client.query(`begin; alter schema ${schema} rename to ${aside}; create schema ${schema}; commit`);

const takeBack = (client: Client, aside: string) =>
  client.query(`begin; drop schema ${schema}; alter schema ${aside} rename to ${schema}; commit`);
