import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { postgresBinaries, unprivilegedUser } from './postgres-binaries.ts';

export interface FreshDatabase {
  url: string;
  drop(): Promise<void>;
}

const startSeconds = 60;

/** Real in all but outliving a power cut. */
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  timezone: 'UTC',
  unix_socket_directories: '',
};

/**
 * Makes and runs a server in the current folder. Its standard input ends when the test process does, be it by kill -9;
 * then it takes the server and the folder away. It leads a process group of its own, so no Ctrl+C reaches it first. The
 * signal is INT, as QUIT would leave the shared memory of an unfinished initdb behind.
 * One round of password hashing keeps connecting quick: nobody has the time to guess.
 */
const supervisor = `
  binaries=$1
  quick=$2
  shift 2
  trap '' HUP INT QUIT TERM
  {
    "$binaries/bin/initdb" --pgdata=data --username=postgres --pwfile=password --auth=scram-sha-256 \
      $quick --encoding=UTF8 --locale=C --no-sync &&
      "$binaries/bin/postgres" -D data "$@"
    echo ENDED
  } >log 2>&1 &
  read -r end
  kill -INT 0
  wait
  rm -rf "$PWD"
`;

const servers = new Map<string | undefined, Promise<string>>();

/**
 * A new, empty database on a real PostgreSQL, which starts with the first one and ends with this process; on the tests'
 * own unless the folder of another's programs is given.
 */
export async function freshDatabase(system?: string): Promise<FreshDatabase> {
  const server = servers.get(system) ?? startServer(system);
  servers.set(system, server);
  const address = await server;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await administer(address, `create database ${name} template template0`);
  return {
    url: new URL(name, address).href,
    drop: () => administer(address, `drop database if exists ${name} with (force)`),
  };
}

async function administer(address: string, statement: string): Promise<void> {
  const client = new Client(new URL('postgres', address).href);
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

async function startServer(system: string | undefined): Promise<string> {
  const user = unprivilegedUser();
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'stena-postgres-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const password = randomBytes(16).toString('hex');
  writeFileSync(join(folder, 'password'), password);

  const binaries = system ?? postgresBinaries(user, folder);
  // PostgreSQL 15 knows nothing of it.
  const quick = system ? '' : '--set=scram_iterations=1';
  const port = String(await freePort());
  const flags = Object.entries({ ...settings, port }).map(([name, value]) => `--${name}=${value}`);
  const child = spawn('sh', ['-c', supervisor, 'sh', binaries, quick, ...flags], {
    ...user,
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  await ready(join(folder, 'log'));
  return `postgres://postgres:${password}@127.0.0.1:${port}/`;
}

async function ready(logFile: string): Promise<void> {
  for (const deadline = Date.now() + startSeconds * 1000; Date.now() < deadline; await sleep(10)) {
    const log = await readFile(logFile, 'utf8').catch(() => '');
    if (log.includes('ready to accept connections')) return;
    if (log.includes('ENDED')) throw new Error(`PostgreSQL did not start:\n${log}`);
  }
  throw new Error(`PostgreSQL did not start within ${startSeconds} s, see ${logFile}`);
}
