import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { loadMigrations } from '../../server/db/migrate.ts';
import { migratePostgres } from '../../server/db/postgres/migrate-postgres.ts';
import { PostgresCluster } from './postgres-cluster.ts';

export interface FreshDatabase {
  url: string;
  drop(): Promise<void>;
}

/** The database need not survive a power failure. PostgreSQL ends a deadlock after 0.1 s instead of 1 s. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '200',
  deadlock_timeout: '100ms',
  // The transactions of autovacuum would delay positions in the change logs of all databases of the server.
  autovacuum: 'off',
};

/** URL of a running engine to use: `npm test -- storage` tries another one. */
const shared = process.env['ENGINE_URL'];

const clusters = new Map<string | undefined, Promise<PostgresCluster>>();

/**
 * A new, empty database on a real PostgreSQL server, which starts with the first database and ends with this process.
 * `installed` is the folder of an installed PostgreSQL to use instead of the tests’ own.
 */
export async function freshDatabase(installed?: string): Promise<FreshDatabase> {
  const address = (installed === undefined && shared) || (await cluster(installed)).url();
  try {
    return await createDatabase(address, 'template0');
  } catch (error) {
    if (address === shared) return freshSchema(address);
    throw error;
  }
}

let template: Promise<string> | undefined;

/** A new database that is migrated already: a copy of the first one. At ENGINE_URL it is empty, because the engine may not be able to copy. */
export async function migratedDatabase(): Promise<FreshDatabase> {
  if (shared) return freshDatabase();
  template ??= migrateTemplate();
  return createDatabase((await cluster(undefined)).url(), `${await template} strategy file_copy`);
}

/** Makes a migrated database to copy. Returns its name. */
async function migrateTemplate(): Promise<string> {
  const { url } = await freshDatabase();
  await migratePostgres(url, await loadMigrations('postgres'));
  return new URL(url).pathname.slice(1);
}

async function createDatabase(address: string, from: string): Promise<FreshDatabase> {
  const name = newName();
  await administer(address, `create database ${name} template ${from}`);
  const url = new URL(address);
  url.pathname = name;
  return { url: url.href, drop: () => administer(address, `drop database if exists ${name} with (force)`) };
}

/** A new schema instead of a database, for an engine with one database or a user who may not create more. */
async function freshSchema(address: string): Promise<FreshDatabase> {
  const name = newName();
  await administer(address, `create schema ${name}`);
  const url = new URL(address);
  url.searchParams.set('options', `-c search_path=${name}`);
  return { url: url.href, drop: () => administer(address, `drop schema ${name} cascade`) };
}

const newName = (): string => `test_${randomBytes(6).toString('hex')}`;

function cluster(installed: string | undefined): Promise<PostgresCluster> {
  const starting = clusters.get(installed) ?? startCluster(installed);
  clusters.set(installed, starting);
  return starting;
}

async function startCluster(installed: string | undefined): Promise<PostgresCluster> {
  const started = await PostgresCluster.make(settings, installed);
  await started.start();
  return started;
}

async function administer(address: string, statement: string): Promise<void> {
  const client = new Client(address);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
