import { readdir, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { addresses } from '#contract/addresses.ts';
import { buildApp } from './app.ts';
import { cannotListen, type Config, ConfigError, readConfig } from './config.ts';
import { type Database, StandbyLeftOut, StorageUnfit } from './db/database.ts';
import { refuseLostWall } from './db/lost-wall.ts';
import { loadMigrations } from './db/migrate.ts';
import { inSnapshot, openDatabase, sqliteFile } from './db/open-database.ts';
import { unencryptedHost } from './db/postgres/connect.ts';
import type { Schema } from './db/schema.ts';
import { newOwnerCode } from './features/moderation/invites.ts';
import { readWallSettings } from './features/wall-texts/wall-settings.ts';
import { openTransport } from './mail/transport.ts';
import { warnOfCopyFolder, warnOfDumpProgram } from './ops/backups.ts';
import { doubtfulSettings } from './ops/doubtful-settings.ts';
import { loadWebBuild } from './pages/web-build.ts';
import { makeSecrets, secretFile, storedSecret } from './secrets.ts';

/** Removes the drafts that a killed restore or start has left in the data folder; resolves to their names. */
async function removeLeftovers(dataDir: string): Promise<string[]> {
  const finals = [sqliteFile(dataDir), secretFile(dataDir)].map((file) => `${basename(file)}.`);
  const isDraft = (name: string): boolean =>
    finals.some((final) => name.startsWith(final) && /^[0-9a-f]{12}$/.test(name.slice(final.length)));
  const drafts = (await readdir(dataDir).catch(() => [])).filter(isDraft);
  for (const name of drafts) await rm(join(dataDir, name), { force: true });
  return drafts;
}

/** Maximum time for running requests to finish after SIGTERM. */
const stopTimeoutMs = 10_000;
/** Longer than the second within which the proxies in deploy/ check whether the process is leaving. */
const leavingMs = 1_500;
/** Maximum time in which the storage says whether it is shared, so that a storage that is away does not delay the stop. */
const askingMs = 500;

/** Length of the accept queue. With Node's default of 511 a burst of slow clients delays all others by a second. */
const backlog = 4_096;

// Only the owner may read the data folder, the database and the mails.
process.umask(0o077);
const config = settings();
const doubtful = doubtfulSettings(process.env, config);
const dev = process.argv.includes('--dev');
// React's server bundle reads NODE_ENV. The operator's value has been read above.
process.env['NODE_ENV'] = dev ? 'development' : 'production';

try {
  await start();
} catch (error) {
  refuse(error);
}

async function start(): Promise<void> {
  // Standard output is for the operator at the terminal; logs go to standard error.
  const log = pino({ level: config.logLevel }, pino.destination(2));
  for (const warning of doubtful) log.warn(warning);
  for (const { name, url } of databaseUrls(config)) {
    const clearHost = unencryptedHost(url);
    if (clearHost) {
      log.warn(`the connection to PostgreSQL at ${clearHost} is not encrypted: add sslmode=verify-full to ${name}`);
    }
  }
  const onError = (error: Error): void =>
    error instanceof StandbyLeftOut ? log.warn(error.message) : log.warn({ err: error }, 'database connection failed');
  for (const name of await removeLeftovers(config.dataDir))
    log.warn({ name }, 'removed what a killed restore had left');
  await refuseLostWall(config);
  const upgrade = await upcomingUpgrade(config);
  if (upgrade) log.info(upgrade, 'upgrading the tables: nobody can read or write until it is done');
  const db = await openDatabase(config, onError, config.databaseReadUrls);
  if (upgrade) log.info({ from: upgrade.from, to: upgrade.to }, 'the tables were upgraded');
  const secrets = makeSecrets(config.secret ?? (await storedSecret(config.dataDir)), config.secretPrevious);
  const transport = openTransport(config, (line) => process.stdout.write(`${line}\n`));
  // Vite is loaded only in development.
  const web = dev ? (await import('./pages/dev-build.ts')).openDevBuild : await loadWebBuild();
  const app = await buildApp({ config, db, secrets, transport, log, web });

  let stopping = false;
  const stop = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    await leave(app, db);
    setTimeout(() => process.exit(0), stopTimeoutMs).unref();
    await app.close();
    await db.close();
    process.exit(0);
  };
  // A signal to the whole process group may arrive more than once.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  await app.ready();
  const { host, port: wanted } = config;
  const address = await app.listen({ host, port: wanted, backlog }).catch(cannotListen('HOST и PORT'));
  log.info({ address }, 'listening');
  warnOfDumpProgram(db, log);
  warnOfCopyFolder(config, log);
  const { port } = app.server.address() as AddressInfo;
  const home = config.publicUrl.replace(/:0$/, `:${port}`);
  const { name = config.appName } = await readWallSettings(db.read);
  process.stdout.write(`${name}: ${home}\n`);
  process.stdout.write(`Данные: ${dataLocation(config)}\n`);
  const code = await newOwnerCode(db, secrets, Math.floor(Date.now() / 1_000));
  if (code !== undefined) {
    process.stdout.write(`Стена пуста. Стать её владельцем (сутки): ${home}${addresses.ownerLink.href({ code })}\n`);
  }
}

/** If other processes serve the wall, waits until proxies have seen that this process is leaving. Meanwhile it serves requests. */
async function leave(app: FastifyInstance, db: Database): Promise<void> {
  const isShared = await Promise.race([db.isShared().catch(() => false), pause(askingMs, false, { ref: false })]);
  if (!isShared) return;
  app.isLeaving = true;
  await pause(leavingMs);
}

/** The versions of the tables before and after this start, and the number of posts; undefined if they do not change. */
async function upcomingUpgrade(location: Config) {
  const to = (await loadMigrations(location.databaseUrl ? 'postgres' : 'sqlite')).at(-1)!.version;
  const from = async (read: Kysely<Schema>) => {
    const { rows } = await sql<{ version: number | null }>`select max(version) as version from migrations`.execute(
      read,
    );
    const version = Number(rows[0]!.version);
    if (version === 0 || version >= to) return undefined;
    const posts = await sql<{ n: number }>`select count(*) as n from posts`.execute(read);
    return { from: version, to, posts: posts.rows[0]!.n };
  };
  // An empty database has no tables. One that does not respond is reported when it is opened.
  return inSnapshot(location, from).catch(() => undefined);
}

function databaseUrls({ databaseUrl, databaseReadUrls }: Config): Array<{ name: string; url: string }> {
  const primary = databaseUrl === undefined ? [] : [{ name: 'DATABASE_URL', url: databaseUrl }];
  return [...primary, ...databaseReadUrls.map((url) => ({ name: 'DATABASE_READ_URL', url }))];
}

/** Location of the data, without the password. */
function dataLocation({ databaseUrl, dataDir }: Config): string {
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

/** Refuses to run as root: a compromised server would give access to the whole machine. */
function refuseRoot(): void {
  if (process.env['NODE_ENV'] !== 'production' || process.getuid?.() !== 0) return;
  throw new ConfigError(
    'С NODE_ENV=production сервер не работает от root: запустите его от отдельного пользователя (docs/guide/install.md).',
  );
}

/** Prints one line for errors that the operator can fix; the stack trace for all others, which are bugs. */
function refuse(error: unknown): never {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isFixable = error instanceof ConfigError || error instanceof StorageUnfit || 'code' in error;
  return isFixable ? error.message : (error.stack ?? error.message);
}
