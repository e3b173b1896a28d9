import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { outputOf, runCommand } from '../test/kit/command-process.ts';
import { ask } from '../test/kit/ask.ts';
import { type FreshStorage, freshStorage, migratedStorage } from '../test/kit/engines.ts';
import { spawnNode } from '../test/kit/node-process.ts';
import { ticksUntil, pollWithin } from '../test/kit/polling.ts';
import { withClient } from './commands/backup/postgres-tools.ts';
import { loadMigrations } from './db/migrate.ts';
import { openDatabase, sqliteFile } from './db/open-database.ts';
import { version } from './version.ts';
import { migrateSqlite } from './db/sqlite/migrate-sqlite.ts';

function start(dataDir: string, settings: NodeJS.ProcessEnv = {}, flags: string[] = []): ChildProcess {
  const env = { DATA_DIR: dataDir, PORT: '0', READS_PER_MINUTE: '1000000', LOG_LEVEL: 'error', ...settings };
  return spawnNode([...flags, 'server/main.ts'], { env, errors: 'pipe' });
}

/** The URL that the server prints once it listens. */
async function addressOf(server: ChildProcess): Promise<string> {
  const [line] = (await once(server.stdout!, 'data')) as [Buffer];
  return line.toString().match(/http:\S+/)![0];
}

/** A server that listens, and how it ends. */
async function serving(...args: Parameters<typeof start>) {
  const server = start(...args);
  const ended = outcome(server);
  return { server, ended, address: await addressOf(server) };
}

async function untilRefused(address: string): Promise<void> {
  while ((await ask(`${address}/healthz`, { agent: false })).outcome !== 'nothing');
}

async function outcome(server: ChildProcess): Promise<{ code: number | null; errors: string }> {
  const [errors, [code]] = await Promise.all([text(server.stderr!), once(server, 'exit') as Promise<[number | null]>]);
  return { code, errors };
}

describe('the server process', { concurrency: 3 }, () => {
  let fresh: FreshStorage;
  before(async () => {
    fresh = await freshStorage('sqlite');
    // The tables are made here, because the first servers start together.
    await (await openDatabase(fresh.storage, assert.fail)).close();
  });
  after(() => fresh.remove());

  it('responds to a request that was partly received when it was told to stop', async () => {
    const { server, ended, address } = await serving(fresh.storage.dataDir);
    const { hostname, port } = new URL(address);
    const client = connect(Number(port), hostname);
    client.write('GET /healthz HTTP/1.1\r\nHost: wall\r\n');
    // A later request has been answered, so the part has arrived.
    assert.equal((await ask(`${address}/healthz`, { agent: false })).outcome, 200);
    server.kill('SIGTERM');
    await untilRefused(address);
    client.write('\r\n');
    assert.match(await text(client), /^HTTP\/1\.1 200 .*\r\nconnection: close\r\n.*\{"status":"ok"\}$/is);
    assert.deepEqual(await ended, { code: 0, errors: '' });
  });

  it('tells this machine which build runs, but nobody who comes through a proxy', async () => {
    const { server, ended, address } = await serving(fresh.storage.dataDir);
    const { port } = new URL(address);
    const run = await runCommand('server/commands/health/main.ts', fresh.storage, [], { PORT: port });
    assert.equal(outputOf(run, []), `Стена ${version} готова: http://127.0.0.1:${port}/readyz\n`);
    const forwarded = await fetch(`${address}/readyz`, { headers: { 'x-forwarded-for': '192.0.2.1' } });
    assert.deepEqual(await forwarded.json(), { status: 'ok' });
    server.kill('SIGTERM');
    assert.deepEqual(await ended, { code: 0, errors: '' });
  });

  it('responds to a further request on an open connection, then closes it', async () => {
    const { server, ended, address } = await serving(fresh.storage.dataDir);
    const { hostname, port } = new URL(address);
    const client = connect(Number(port), hostname);
    const request = 'GET /healthz HTTP/1.1\r\nHost: wall\r\n\r\n';
    client.write(request);
    await once(client, 'readable');
    server.kill('SIGTERM');
    await untilRefused(address);
    client.write(request);
    assert.match(await text(client), /200 OK.*200 OK.*connection: close/is);
    assert.deepEqual(await ended, { code: 0, errors: '' });
  });

  it('says that it is leaving while another process serves the wall, and serves what still comes', async () => {
    await using postgres = await freshStorage('postgres');
    const settings = { DATABASE_URL: postgres.storage.databaseUrl!, SECRET: 'a'.repeat(32) };
    const [one, other] = [
      await serving(postgres.storage.dataDir, settings),
      await serving(postgres.storage.dataDir, settings),
    ];
    const ofAddress = (address: string) => async (path: string) =>
      (await ask(address + path, { agent: false })).outcome;
    const paths = ['/healthz', '/readyz', '/'];
    one.server.kill('SIGTERM');
    let outcomes: unknown[];
    do outcomes = await Promise.all(paths.map(ofAddress(one.address)));
    while (outcomes[0] === 200);
    assert.deepEqual(outcomes, [503, 503, 200]);
    assert.equal(await ofAddress(other.address)('/readyz'), 200);
    assert.equal((await one.ended).code, 0);
    // Nobody else serves the wall now, so the other server stops at once.
    other.server.kill('SIGTERM');
    let last: unknown;
    do last = await ofAddress(other.address)('/healthz');
    while (last === 200);
    assert.notEqual(last, 503);
    assert.equal((await other.ended).code, 0);
  });

  it('stops on SIGINT despite idle connections', async () => {
    const { server, ended, address } = await serving(fresh.storage.dataDir);
    const agent = new Agent({ keepAlive: true });
    assert.equal((await ask(`${address}/healthz`, { agent })).outcome, 200);
    server.kill('SIGINT');
    // The server ends in less than five seconds. After ten it would end even with open connections.
    assert.ok((await ticksUntil(ended)) < 500);
    assert.deepEqual(await ended, { code: 0, errors: '' });
    agent.destroy();
  });

  it('reports in one line that a port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    for (const [settings, named] of [
      [{ PORT: String(port) }, 'HOST и PORT'],
      [{ METRICS: `127.0.0.1:${port}` }, 'METRICS'],
    ] as const) {
      const { code, errors } = await outcome(start(fresh.storage.dataDir, settings));
      assert.equal(code, 1);
      assert.match(errors, new RegExp(`^${named}: .*address already in use.*:${port}\\.\n$`));
    }
    taken.close();
  });

  const unreachable = { DATABASE_URL: 'postgres://wall:hidden-word@127.0.0.1:1/wall', SECRET: 'a'.repeat(32) };
  const unencrypted = {
    ...unreachable,
    DATABASE_URL: 'postgres://wall:hidden-word@db.invalid/wall',
    LOG_LEVEL: 'warn',
  };
  for (const [title, settings, said] of [
    ['reports in one line which setting is invalid', { PORT: 'eighty' }, /^PORT: .*"eighty".\n$/],
    [
      'reports in one line that an address is that of another machine',
      { HOST: '192.0.2.1' },
      /^HOST и PORT: .*192\.0\.2\.1.*\n$/,
    ],
    [
      'reports in one line that an address does not exist',
      { METRICS: 'no-such.invalid:9464' },
      /^METRICS: .*no-such\.invalid.*\n$/,
    ],
    [
      'reports in one line that the folder of the texts is missing',
      { PAGES_DIR: '/no/such' },
      /^PAGES_DIR: .*"\/no\/such"\.\n$/,
    ],
    [
      'reports in one line, without the password, that PostgreSQL is unreachable',
      unreachable,
      /^DATABASE_URL: нет соединения с PostgreSQL 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\)\.\n$/,
    ],
    [
      'warns when the connection to PostgreSQL on another host is not encrypted',
      unencrypted,
      /^\{"level":40,.*db\.invalid is not encrypted: .*sslmode=verify-full.*\}\nDATABASE_URL: .*\n$/,
    ],
  ] as const)
    it(title, async () => {
      const { code, errors } = await outcome(start(fresh.storage.dataDir, settings));
      assert.equal(code, 1);
      assert.match(errors, said);
      assert.doesNotMatch(errors, /hidden-word/);
    });

  it('does not run as root in production, and reports invalid settings first', async () => {
    const as = (uid: number): string[] => [`--import=data:text/javascript,process.getuid=()=>${uid}`];
    const production = { NODE_ENV: 'production', SMTP_URL: 'smtp://127.0.0.1:1' };
    const { dataDir } = fresh.storage;
    const root = await outcome(start(dataDir, production, as(0)));
    assert.equal(root.code, 1);
    assert.match(root.errors, /^С NODE_ENV=production сервер не работает от root: .*docs\/guide\/install\.md.*\n$/);
    const wrong = await outcome(start(dataDir, { ...production, PORT: 'eighty' }, as(0)));
    assert.match(wrong.errors, /^PORT: .*\n$/);
    for (const [settings, uid] of [
      [production, 1_000],
      [{ NODE_ENV: 'development' }, 0],
    ] as const) {
      const { server, ended } = await serving(dataDir, settings, as(uid));
      server.kill('SIGTERM');
      assert.deepEqual(await ended, { code: 0, errors: '' });
    }
  });

  it('reports in one line that the database was written by a newer version', async () => {
    await using newer = await freshStorage('sqlite');
    const db = await openDatabase(newer.storage, assert.fail);
    await db.tx((tx) => sql`insert into migrations values (9000, 'from the future', 1)`.execute(tx.db));
    await db.close();
    const { code, errors } = await outcome(start(newer.storage.dataDir));
    assert.equal(code, 1);
    assert.match(errors, /^База версии 9000, .* более новая программа\.\n$/);
  });

  it('says at the start what it removed after a killed restore, and that it upgraded the tables', async () => {
    await using older = await freshStorage('sqlite');
    const { dataDir } = older.storage;
    const migrations = await loadMigrations('sqlite');
    const from = 8;
    migrateSqlite(sqliteFile(dataDir), migrations.slice(0, from));
    const drafts = ['secret.0123456789ab', 'stena.sqlite.0123456789ab'];
    for (const name of [...drafts, 'stena.sqlite.copy']) await writeFile(join(dataDir, name), '');
    const { server, ended } = await serving(dataDir, { LOG_LEVEL: 'info', NODE_ENV: 'prod' });
    server.kill('SIGTERM');
    const { errors } = await ended;
    assert.match(errors, /"msg":"NODE_ENV=prod counts as unset/);
    for (const name of drafts) {
      assert.ok(errors.includes(`"name":"${name}","msg":"removed what a killed restore had left"`), errors);
      assert.equal(existsSync(join(dataDir, name)), false);
    }
    assert.ok(existsSync(join(dataDir, 'stena.sqlite.copy')));
    const to = migrations.at(-1)!.version;
    const begun = errors.indexOf(`"from":${from},"to":${to},"posts":0,"msg":"upgrading the tables: nobody can read`);
    const done = errors.indexOf(`"from":${from},"to":${to},"msg":"the tables were upgraded"`);
    assert.ok(begun >= 0 && begun < done, errors);
    const again = await serving(dataDir, { LOG_LEVEL: 'info' });
    again.server.kill('SIGTERM');
    assert.doesNotMatch((await again.ended).errors, /upgrad|removed/);
  });

  it('warns once, in one line, that DATABASE_READ_URL names the primary, and serves without it', async () => {
    await using postgres = await freshStorage('postgres');
    const { dataDir, databaseUrl = '' } = postgres.storage;
    // Another name of the same server.
    const DATABASE_READ_URL = `${databaseUrl}?application_name=reads`;
    const settings = { DATABASE_URL: databaseUrl, DATABASE_READ_URL, SECRET: 'a'.repeat(32), LOG_LEVEL: 'warn' };
    // There is no other warning with a pg_dump that is new enough.
    await writeFile(join(dataDir, 'pg_dump'), '#!/bin/sh\necho "pg_dump (PostgreSQL) 99.1"\n', { mode: 0o755 });
    const server = start(dataDir, { ...settings, PATH: dataDir });
    const ended = outcome(server);
    // The warning may come before the address.
    const warned = once(server.stderr!, 'data');
    const address = await addressOf(server);
    await warned;
    // The server tries the address again twice a second, each time in a new session.
    await withClient(databaseUrl, async (client) => {
      const statistics = 'select sessions::int from pg_stat_database where datname = current_database()';
      const sessions = async () => (await client.query<{ sessions: number }>(statistics)).rows[0]!.sessions;
      const earlier = await sessions();
      await pollWithin(2_000, async () => (await sessions()) > earlier + 1 || undefined);
    });
    assert.equal((await ask(`${address}/api/v1/posts`)).outcome, 200);
    server.kill('SIGTERM');
    const { code, errors } = await ended;
    assert.equal(code, 0);
    // On a busy machine PostgreSQL also responds too late now and then, which has warnings of its own.
    const reasons = errors
      .split('\n')
      .map((line) => /"msg":"DATABASE_READ_URL: \S+ is not read from: (.+)"\}$/.exec(line)?.[1])
      .filter((reason) => reason !== undefined);
    assert.ok(reasons.includes('it is the primary now'), errors);
    assert.ok(
      reasons.every((reason, i) => reason !== reasons[i - 1]),
      errors,
    );
  });

  it('warns when pg_dump is missing or older than PostgreSQL', async () => {
    await using postgres = await migratedStorage('postgres');
    const { databaseUrl, dataDir } = postgres.storage;
    const [tool, asked] = [join(dataDir, 'pg_dump'), join(dataDir, 'asked')];
    const warningsWith = async (isWarned: boolean, printed?: string): Promise<string> => {
      await rm(asked, { force: true });
      const script = `#!/bin/sh\necho "${printed}"; : > "${asked}"\n`;
      if (printed) await writeFile(tool, script, { mode: 0o755 });
      const settings = { DATABASE_URL: databaseUrl, SECRET: 'a'.repeat(32), LOG_LEVEL: 'warn', PATH: dataDir };
      const server = start(dataDir, settings);
      const errors: string[] = [];
      // On a busy machine PostgreSQL may also respond too late, which is another warning.
      createInterface(server.stderr!).on('line', (line) => line.includes('pg_dump') && errors.push(line));
      await addressOf(server);
      while (errors.length === 0 && !existsSync(asked)) await sleep(20);
      // A warning follows the answer of pg_dump at once, if there is one.
      if (isWarned) while (errors.length === 0) await sleep(20);
      else await sleep(300);
      server.kill('SIGTERM');
      await once(server, 'exit');
      return errors.join('\n');
    };
    assert.match(
      await warningsWith(true),
      /^\{"level":40,[^\n]*backups fail on this machine because there is no pg_dump: /,
    );
    const old = await warningsWith(true, 'pg_dump (PostgreSQL) 14.9 (Debian 14.9-1)');
    assert.match(old, /^\{"level":40,[^\n]*pg_dump 14 is older than PostgreSQL \d+: install postgresql-client-\d+"\}$/);
    assert.equal(await warningsWith(false, 'pg_dump (PostgreSQL) 99.1'), '');
  });

  it('warns in one line when COPY_TO names no folder, and serves', async () => {
    const { dataDir } = fresh.storage;
    const file = join(dataDir, 'no folder');
    await writeFile(file, '');
    const warningsWith = async (copyTo: string): Promise<string[]> => {
      const { server, ended, address } = await serving(dataDir, { COPY_TO: copyTo, LOG_LEVEL: 'warn' });
      assert.equal((await ask(`${address}/readyz`, { agent: false })).outcome, 200);
      server.kill('SIGTERM');
      return (await ended).errors.split('\n').filter((line) => line.includes('COPY_TO'));
    };
    for (const copyTo of [file, join(dataDir, 'away')]) {
      const [warning, ...others] = await warningsWith(copyTo);
      const { level, msg } = JSON.parse(warning!) as { level: number; msg: string };
      const said = `COPY_TO must name a folder that exists, not "${copyTo}": there will be no second copies`;
      assert.deepEqual([level, msg, others], [40, said, []]);
    }
    assert.deepEqual(await warningsWith(dataDir), []);
  });

  it('reports in one line that the data folder cannot be created', async () => {
    const file = join(fresh.storage.dataDir, 'file');
    await writeFile(file, '');
    for (const dataDir of ['/proc/x', '/proc/x/y', join(file, 'x')]) {
      const refusal = {
        name: 'ConfigError',
        message: new RegExp(`^DATA_DIR: папку не создать [^\n]*"${dataDir}"[^\n]*$`),
      };
      await assert.rejects(openDatabase({ databaseUrl: undefined, dataDir }, assert.fail), refusal);
    }
    const { code, errors } = await outcome(start(file));
    assert.equal(code, 1);
    assert.match(errors, /^DATA_DIR: папку не создать .*\n$/);
    assert.ok(errors.includes(file), errors);
  });
});
