import type pg from 'pg';
import { StorageUnfit } from '../database.ts';
import { type Migration, pendingMigrations, readTables } from '../migrate.ts';
import { connect } from './connect.ts';
import type { Order } from './order.ts';
import { refuseSharedSessions } from './own-sessions.ts';
import { SequencerOrder } from './sequencer-order.ts';
import { TransactionOrder } from './transaction-order.ts';

const oldestPostgres = 15;
/** Key of the advisory lock that lets processes migrate one after another. Any constant would do. */
const migrationLock = 7_361_001;

/** Migrates the database to the newest version in one transaction. Resolves to the order that its tables have. */
export async function migratePostgres(url: string, migrations: Migration[]): Promise<Order> {
  const client = await connect(url);
  try {
    await refuseSharedSessions(url);
    await client.query('begin');
    const order = await applyMigrations(client, migrations);
    await client.query('commit');
    await beginLog(client);
    return order;
  } finally {
    await client.end();
  }
}

/**
 * The log of changes is empty at first and after a crash. A row that no subscriber gets makes it possible to detect later
 * whether the log was emptied again.
 */
async function beginLog(client: pg.Client): Promise<void> {
  await client.query(
    `insert into changes (kind, post_id, owner_id, created_at)
     select 'read', 0, 0, 0 where not exists (select from changes)`,
  );
}

/** The same in a transaction of the caller. */
export async function applyMigrations(client: pg.Client, migrations: Migration[]): Promise<Order> {
  const major = await serverMajor(client);
  if (major < oldestPostgres) {
    throw new StorageUnfit(`PostgreSQL ${major} is too old: ${oldestPostgres} or newer is needed.`);
  }
  await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  await client.query(
    'create table if not exists migrations (version integer primary key, name text not null, applied_at bigint not null)',
  );
  const { rows: applied } = await client.query<Migration>('select version, name from migrations');
  const pending = pendingMigrations(migrations, applied);
  const order = await chooseOrder(client, applied.length > 0);
  if (applied.length === 0) await client.query(await readTables(order.tables));
  for (const { version, name, sql } of pending) {
    await client.query(sql);
    await client.query('insert into migrations values ($1, $2, extract(epoch from now())::bigint)', [version, name]);
  }
  await dropTextStatistics(client);
  return order;
}

/** The order that the tables were made for; for tables to come, the one that the engine can have. */
async function chooseOrder(client: pg.Client, hasTables: boolean): Promise<Order> {
  const isByTransactions = hasTables
    ? "to_regclass('sequencer') is null"
    : "to_regproc('pg_current_xact_id') is not null";
  const { rows } = await client.query<{ yes: boolean }>(`select ${isByTransactions} as yes`);
  return rows[0]!.yes ? new TransactionOrder() : new SequencerOrder();
}

/**
 * Statistics of a column hold values from it, also of rows that are deleted. No query needs them for texts. A change of the
 * type drops those that have been gathered; to the same type it rewrites nothing.
 */
async function dropTextStatistics(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; column: string; type: string }>(
    `select attrelid::regclass::text as name, attname as column, format_type(atttypid, atttypmod) as type
     from pg_attribute
     where attrelid in (to_regclass('posts'), to_regclass('removed_posts'), to_regclass('reports'), to_regclass('post_words'))
       and attname in ('text', 'words') and coalesce(attstattarget, -1) <> 0`,
  );
  for (const { name, column, type } of rows) {
    await client.query(
      `alter table ${name} alter column ${column} set statistics 0, alter column ${column} type ${type}`,
    );
  }
}

export const selectMajor = "select current_setting('server_version_num')::integer / 10000 as major";

export async function serverMajor(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ major: number }>(selectMajor);
  return rows[0]!.major;
}
