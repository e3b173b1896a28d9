import pg from 'pg';
import { StorageUnfit } from '../database.ts';
import { type Migration, pendingMigrations } from '../migrate.ts';

const oldestPostgres = 15;
/** Key of the advisory lock that lets processes migrate one after another. Any constant would do. */
const migrationLock = 7_361_001;

/** When a host name has several addresses, the error holds one error for each and has no message of its own. */
function unreachable({ host, port }: pg.Client, error: unknown): StorageUnfit {
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
  return new StorageUnfit(`DATABASE_URL: no connection to PostgreSQL at ${host}:${port} (${message}).`, {
    cause: error,
  });
}

/** Migrates the database to the newest version in one transaction. */
export async function migratePostgres(url: string, migrations: Migration[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect().catch((error: unknown) => {
    throw unreachable(client, error);
  });
  try {
    const { rows: server } = await client.query<{ version: string }>(
      "select current_setting('server_version_num') as version",
    );
    const major = Math.floor(Number(server[0]!.version) / 10_000);
    if (major < oldestPostgres) {
      throw new StorageUnfit(`PostgreSQL ${major} is too old: ${oldestPostgres} or newer is needed.`);
    }
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    await client.query(
      'create table if not exists migrations (version integer primary key, name text not null, applied_at bigint not null)',
    );
    const { rows: applied } = await client.query<Migration>('select version, name from migrations');
    for (const { version, name, sql } of pendingMigrations(migrations, applied)) {
      await client.query(sql);
      await client.query('insert into migrations values ($1, $2, extract(epoch from now())::bigint)', [version, name]);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}
