import pg from 'pg';

/** Talks to the database that DATABASE_URL names. */
export async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export async function serverMajor(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ version: string }>("select current_setting('server_version_num') as version");
  return Math.floor(Number(rows[0]!.version) / 10_000);
}

/** Whether anybody else is connected: a server always is. */
export async function isInUse(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
  );
  return rows.length > 0;
}
