import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { unprivilegedUser } from './postgres-binaries.ts';
import { SupervisedShell } from './supervised-shell.ts';

/** A PgBouncer in front of a PostgreSQL. */
export interface Pooler extends AsyncDisposable {
  /** The database through the pooler. */
  url: string;
}

export interface PoolerSettings {
  mode: 'session' | 'transaction' | 'statement';
  /** Connections to PostgreSQL. */
  size: number;
  /** Whether connections take turns; otherwise the one used last is used next. */
  roundRobin?: boolean;
}

/** Debian installs it where only root's PATH leads. */
const program = 'PATH="$PATH:/usr/sbin" pgbouncer';
const readyWithinMs = 60_000;

/** Why PgBouncer cannot be used here, or undefined. */
export async function lacksPgbouncer(): Promise<string | undefined> {
  return spawnSync('sh', ['-c', `${program} --version`]).status === 0 ? undefined : 'pgbouncer is not on the PATH';
}

export async function startPgbouncer(databaseUrl: string, settings: PoolerSettings): Promise<Pooler> {
  const target = new URL(databaseUrl);
  const port = await freePort();
  // It refuses to run as root.
  const shell = new SupervisedShell('pgbouncer', { cleanUp: 'kill $pooler; wait', user: unprivilegedUser() });
  writeFileSync(
    join(shell.folder, 'pgbouncer.ini'),
    `[databases]
    * = host=${target.hostname} port=${target.port} user=${target.username} password=${target.password}
    [pgbouncer]
    listen_addr = 127.0.0.1
    listen_port = ${port}
    unix_socket_dir =
    auth_type = any
    pool_mode = ${settings.mode}
    default_pool_size = ${settings.size}
    max_client_conn = 500
    server_round_robin = ${settings.roundRobin ? 1 : 0}
    `.replaceAll(/^ +/gm, ''),
  );
  target.port = String(port);
  try {
    await shell.run(`${program} -q pgbouncer.ini & pooler=$!`);
    await ready(target.href);
  } catch (error) {
    await shell.end();
    throw error;
  }
  return { url: target.href, [Symbol.asyncDispose]: () => shell.end() };
}

async function ready(url: string): Promise<void> {
  for (const until = performance.now() + readyWithinMs; ; await sleep(50)) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
  }
}
