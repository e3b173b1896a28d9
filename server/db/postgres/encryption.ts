import pg from 'pg';

/** This machine, by name, address or Unix socket. */
const local = /^(localhost|127\.[\d.]+|::1|\/.*)$/;

/** The host that PostgreSQL is talked to in the clear, if that goes over a network. */
export function unencryptedHost(databaseUrl: string): string | undefined {
  const { host, ssl } = new pg.Client({ connectionString: databaseUrl });
  return ssl || local.test(host) ? undefined : host;
}
