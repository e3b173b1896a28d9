import pg from 'pg';

/** This machine, by name, address or Unix socket. */
const local = /^(localhost|127\.[\d.]+|::1|\/.*)$/;

/** The PostgreSQL host if the connection is not encrypted and leaves this machine. */
export function unencryptedHost(databaseUrl: string): string | undefined {
  const { host, ssl } = new pg.Client({ connectionString: databaseUrl });
  return ssl || local.test(host) ? undefined : host;
}
