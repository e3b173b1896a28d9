import pg from 'pg';
import { StorageUnfit } from '../database.ts';

/** Names, addresses and Unix sockets of this machine. */
const local = /^(localhost|127\.[\d.]+|::1|\/.*)$/;

/** The PostgreSQL host if the connection is not encrypted and leaves this machine. */
export function unencryptedHost(databaseUrl: string): string | undefined {
  const { host, ssl } = new pg.Client({ connectionString: databaseUrl });
  return ssl || local.test(host) ? undefined : host;
}

/** How long a start waits for a connection. A busy server may accept it late. A server that refuses it fails at once. */
export const startPatienceMs = 30_000;

/** Opens a connection outside the pool. An error names the server. */
export async function connect(connectionString: string, queryMs?: number): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: startPatienceMs,
    ...(queryMs !== undefined && { query_timeout: queryMs }),
  });
  await client.connect().catch((error: unknown) => {
    throw unreachable(client, error);
  });
  return client;
}

/** When a host name has several addresses, the error holds one error for each and has no message of its own. */
function unreachable({ host, port }: pg.Client, error: unknown): StorageUnfit {
  const { message } = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
  return new StorageUnfit(`DATABASE_URL: нет соединения с PostgreSQL ${host}:${port} (${message}).`, {
    cause: error,
  });
}

/**
 * Sets up a connection with a query, because a pooler refuses these settings as parameters of the connection. The wall's queries
 * return few rows, but PostgreSQL may expect many and start parallel workers or JIT compilation, which take 10 to 100 ms.
 */
export async function setUp(client: pg.ClientBase, statementMs = 8_000): Promise<void> {
  await client.query(`set statement_timeout = ${statementMs}; set max_parallel_workers_per_gather = 0; set jit = off`);
}
