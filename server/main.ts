import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { buildApp } from './app.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { StorageUnfit } from './db/database.ts';
import { openDatabase, sqliteFile } from './db/open-database.ts';
import { unencryptedHost } from './db/postgres/encryption.ts';
import { openTransport } from './mail/transport.ts';
import { loadWebBuild } from './pages/web-build.ts';
import { keptSecret, makeSecrets } from './secrets.ts';

/** What runs when the server is told to stop gets this long to finish. */
const stopPatienceMs = 10_000;

/** Connections that may wait to be accepted: with Node's 511 a burst of slow clients costs everyone else a second. */
const backlog = 4_096;

// The folder, the database and the mails are for their owner alone.
process.umask(0o077);
const config = settings();
const dev = process.argv.includes('--dev');
// React's server bundle asks for it; the operator's own value has been read above.
process.env['NODE_ENV'] = dev ? 'development' : 'production';

try {
  await start();
} catch (error) {
  refuse(error);
}

async function start(): Promise<void> {
  // Standard output is for the person at the terminal; logs go to standard error.
  const log = pino({ level: config.logLevel }, pino.destination(2));
  const clearHost = config.databaseUrl && unencryptedHost(config.databaseUrl);
  if (clearHost) {
    log.warn(`the connection to PostgreSQL at ${clearHost} is not encrypted: add sslmode=verify-full to DATABASE_URL`);
  }
  const db = await openDatabase(config, (error) => log.warn({ err: error }, 'database connection failed'));
  const secrets = makeSecrets(config.secret ?? (await keptSecret(config.dataDir)), config.secretPrevious);
  const transport = openTransport(config, (line) => process.stdout.write(`${line}\n`));
  // Vite is loaded only while developing.
  const web = dev ? (await import('./pages/dev-build.ts')).openDevBuild : await loadWebBuild();
  const app = await buildApp({ config, db, secrets, transport, log, web });

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), stopPatienceMs).unref();
    await app.close();
    await db.close();
    process.exit(0);
  };
  // A signal to the whole process group may come more than once.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  await app.listen({ host: config.host, port: config.port, backlog });
  const { port } = app.server.address() as AddressInfo;
  process.stdout.write(`${config.appName}: ${config.publicUrl.replace(/:0$/, `:${port}`)}\n`);
  process.stdout.write(`Данные: ${dataPlace(config)}\n`);
}

/** Where the data lies, without the password. */
function dataPlace({ databaseUrl, dataDir }: Config): string {
  if (!databaseUrl) return sqliteFile(dataDir);
  const { hostname, port, pathname } = new URL(databaseUrl);
  return `PostgreSQL ${hostname}:${port || 5432}${pathname}`;
}

function settings(): Config {
  try {
    const checked = readConfig(process.env);
    refuseRoot();
    return checked;
  } catch (error) {
    refuse(error);
  }
}

/** Who breaks into the server would own the machine. */
function refuseRoot(): void {
  if (process.env['NODE_ENV'] !== 'production' || process.getuid?.() !== 0) return;
  throw new ConfigError(
    'The server must not run as root when NODE_ENV=production: run it as a user of its own (docs/operations.md).',
  );
}

/** One clear line for what the operator can mend; anything else is a fault of ours and shows where. */
function refuse(error: unknown): never {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const mendable = error instanceof ConfigError || error instanceof StorageUnfit || 'code' in error;
  return mendable ? error.message : (error.stack ?? error.message);
}
