import pg from 'pg';
import { StorageUnfit } from '../database.ts';
import { type Migration, pendingMigrations } from '../migrate.ts';

const oldestPostgres = 15;
/** Any number: processes that start together take turns by it. */
const migrationLock = 7_361_001;

/** Where a name has several addresses, the error holds one for each and says nothing itself. */
function unreachable({ host, port }: pg.Client, error: unknown): StorageUnfit {
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
  return new StorageUnfit(`DATABASE_URL: no connection to PostgreSQL at ${host}:${port} (${message}).`, {
    cause: error,
  });
}

/** Brings the database to the newest version, all in one transaction. */
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
    const { rows } = await client.query<{ version: number }>(
      'select coalesce(max(version), 0) as version from migrations',
    );
    for (const { version, name, sql } of pendingMigrations(migrations, rows[0]!.version)) {
      await client.query(sql);
      await client.query('insert into migrations values ($1, $2, extract(epoch from now())::bigint)', [version, name]);
    }
    await client.query('commit');
  } finally {
    await client.end();
  }
}
