import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { loadMigrations } from '../../db/migrate.ts';
import { applyMigrations, serverMajor } from '../../db/postgres/migrate-postgres.ts';
import { CommandError } from '../admin/terminal.ts';
import { refuseOtherChecksum } from './checksummed-file.ts';
import { kindOf, refuseNewer, refuseOther } from './copy-kind.ts';
import { inUse, notUndone, wouldReplace } from './backup-errors.ts';
import { inspectPostgresCopy, schema } from './postgres-copy.ts';
import { isInUse, refuseAdded, refuseOlderTool, runOnDatabase, storedPrograms, withClient } from './postgres-tools.ts';
import { asideName } from './set-aside.ts';
import { inspectSqliteCopy, refuseForeignSchema } from './sqlite-copy.ts';

const batchSize = 5_000;

/**
 * Tables that are not moved: PostgreSQL has its own migrations, its change log numbers positions differently, and the server
 * builds the index of the search there.
 */
const skipped = new Set(['migrations', 'changes', 'backup', 'sqlite_sequence', 'search_index']);
const isSkipped = (table: string): boolean => skipped.has(table) || table.startsWith('post_words');

/** Copies all rows from SQLite into empty PostgreSQL tables, in a transaction of the caller. */
async function moveRows(file: string, client: Client, interrupted?: AbortSignal): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true });
  try {
    for (const table of sqliteTables(source)) await moveTable(source, client, table, interrupted);
    await continueSequences(source, client);
    // Makes the job of the server index the posts.
    await client.query('delete from search_index');
  } finally {
    source.close();
  }
}

/** The tables in the order of creation, so that referenced tables come first. */
function sqliteTables(source: DatabaseSync): string[] {
  const rows = source.prepare("select name from sqlite_schema where type = 'table' order by rowid").all();
  return rows.map(({ name }) => String(name)).filter((name) => !isSkipped(name));
}

async function moveTable(
  source: DatabaseSync,
  client: Client,
  table: string,
  interrupted?: AbortSignal,
): Promise<void> {
  let moved = 0;
  for (const rows of inBatches(source.prepare(`select * from "${table}"`).iterate())) {
    interrupted?.throwIfAborted();
    // Columns are matched by name and take the types of the table.
    await client.query(
      `insert into "${table}" overriding system value select * from json_populate_recordset(null::"${table}", $1)`,
      [JSON.stringify(rows)],
    );
    moved += rows.length;
  }
  const { rows } = await client.query<{ n: string }>(`select count(*) as n from "${table}"`);
  if (Number(rows[0]!.n) !== moved) throw new CommandError(`Таблица ${table} перенесена не целиком: перенос отменён.`);
}

/** Continues the sequences, so that ids of deleted rows are not reused. */
async function continueSequences(source: DatabaseSync, client: Client): Promise<void> {
  for (const { name, seq } of source.prepare('select name, seq from sqlite_sequence where seq > 0').all()) {
    await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [name, seq]);
  }
}

function* inBatches<Row>(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Number of tries to undo a restore, about one a second. */
const undoTries = 30;

/** Restores a copy into the database; returns the name of the schema that now holds the previous data, if any. */
export async function restorePostgres(
  databaseUrl: string,
  file: string,
  replace: boolean,
  asItIs = false,
): Promise<string | undefined> {
  const kind = await kindOf(file);
  if (!asItIs) await refuseOtherChecksum(file);
  const load = kind === 'sqlite' ? await loadSqlite(file) : await loadPostgres(file);
  const aside = await withClient(databaseUrl, async (client) => {
    const old = (await tablesOf(client)).length > 0;
    if (old && !replace) throw wouldReplace('база PostgreSQL (DATABASE_URL)');
    if (await isInUse(client)) throw inUse();
    return old ? asideName() : undefined;
  });
  // This is printed before the restore, because a killed process could not print it afterwards.
  if (aside) console.error(`На время восстановления прежние данные отложены в схему ${aside}.`);
  await interruptible(async (interrupted) => {
    try {
      if (aside) await withClient(databaseUrl, (client) => setAside(client, aside));
      await load(databaseUrl, interrupted);
      interrupted.throwIfAborted();
    } catch (error) {
      await undoRestore(databaseUrl, aside);
      throw interrupted.aborted ? interrupted.reason : error;
    }
  });
  // A dump contains no planner statistics.
  await withClient(databaseUrl, (client) => client.query('analyze'));
  return aside && `схема ${aside}`;
}

/** Loads a copy. Keeps no connection idle for a long time, because a network may drop it unnoticed. */
type Load = (databaseUrl: string, interrupted: AbortSignal) => Promise<void>;

async function loadPostgres(file: string): Promise<Load> {
  await refuseNewer(await inspectPostgresCopy(file), 'postgres');
  return async (databaseUrl, interrupted) => {
    await refuseOlderTool('pg_restore', await withClient(databaseUrl, serverMajor));
    const how = ['--single-transaction', '--no-owner', '--no-privileges', `--schema=${schema}`];
    const before = await withClient(databaseUrl, storedPrograms);
    await runOnDatabase('pg_restore', [...how, file], databaseUrl, interrupted);
    await withClient(databaseUrl, (client) => refuseAdded(client, before));
  };
}

/** Moves a copy of a wall on SQLite to PostgreSQL. */
async function loadSqlite(file: string): Promise<Load> {
  const { version } = inspectSqliteCopy(file);
  await refuseOther(version, 'postgres');
  await refuseForeignSchema(file, version);
  const migrations = await loadMigrations('postgres');
  return (databaseUrl, interrupted) =>
    withClient(databaseUrl, async (client) => {
      // One transaction, so that a killed restore leaves no incomplete wall.
      await client.query('begin');
      await applyMigrations(client, migrations);
      await moveRows(file, client, interrupted);
      await client.query('commit');
    });
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs work that must be undone before the process ends. Meanwhile the signals of the process only abort `interrupted`. */
async function interruptible(work: (interrupted: AbortSignal) => Promise<void>): Promise<void> {
  const controller = new AbortController();
  const interrupt = (name: NodeJS.Signals): void =>
    controller.abort(new CommandError(`Восстановление прервано (${name}): данные такие же, как до него.`));
  for (const name of signals) process.on(name, interrupt);
  try {
    await work(controller.signal);
  } finally {
    for (const name of signals) process.off(name, interrupt);
  }
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

/** Undoes a failed restore. Tries again while PostgreSQL restarts. */
async function undoRestore(databaseUrl: string, aside: string | undefined): Promise<void> {
  for (let triesRemaining = undoTries; triesRemaining > 0; triesRemaining -= 1) {
    try {
      return await withClient(databaseUrl, (client) => bringBack(client, aside));
    } catch (error) {
      if (triesRemaining > 1) await sleep(1_000);
      else throw notUndone(error as Error, aside);
    }
  }
}

/** Removes the copy and moves the previous data back. */
async function bringBack(client: Client, aside: string | undefined): Promise<void> {
  if (aside) {
    // The schema does not exist if nothing has been set aside yet, or if an earlier try has succeeded without a response.
    const { rows } = await client.query('select 1 from pg_namespace where nspname = $1', [aside]);
    if (rows.length === 0) return;
    await client.query(`begin; drop schema ${schema} cascade; alter schema ${aside} rename to ${schema}; commit`);
  } else {
    const tables = await tablesOf(client);
    if (tables.length > 0) await client.query(`drop table ${tables.join(', ')} cascade`);
  }
}
