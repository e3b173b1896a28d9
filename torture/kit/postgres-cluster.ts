import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../../test/engines.ts';
import { freePort } from '../../test/free-port.ts';
import { postgresBinaries, unprivilegedUser } from '../../test/postgres-binaries.ts';
import { KeptShell } from './kept-shell.ts';

/** In memory it keeps what a machine that lost its power would lose, so `fsync` stays on. */
const settings = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: '32MB',
  timezone: 'UTC',
  unix_socket_directories: '',
};

/** As a standby calls itself. */
export const standbyName = 'standby';

type Settings = Record<string, string>;

interface Home {
  shell: KeptShell;
  binaries: string;
  password: string;
}

/** A PostgreSQL of a trial's own, to be killed and started as often as it likes, always at the same address. */
export class PostgresCluster {
  readonly port: number;
  #home: Home;
  #folder: string;
  #settings: Settings;

  private constructor(home: Home, folder: string, port: number, own: Settings) {
    this.port = port;
    this.#home = home;
    this.#folder = folder;
    this.#settings = { ...settings, ...own, port: String(port) };
  }

  /** Made, not started. */
  static async make(own: Settings = {}): Promise<PostgresCluster> {
    const user = unprivilegedUser();
    const will = 'for file in */postmaster.pid; do $bin/pg_ctl stop -m immediate -D "${file%/*}"; done';
    const shell = new KeptShell('cluster', { will, user });
    const password = randomBytes(16).toString('hex');
    const binaries = postgresBinaries(user, shell.folder);
    await shell.run(`bin='${binaries}/bin'`);
    writeFileSync(join(shell.folder, 'password'), password);
    // One round of password hashing keeps connecting quick: nobody has the time to guess.
    await shell.run(
      '$bin/initdb --pgdata=primary --username=postgres --pwfile=password --auth=scram-sha-256 --set=scram_iterations=1 --encoding=UTF8 --locale=C --no-sync',
    );
    return new PostgresCluster({ shell, binaries, password }, 'primary', await freePort(), own);
  }

  /** Before the first start: a second one that follows this one from the beginning, through `port`. */
  async makeStandby(port: number): Promise<PostgresCluster> {
    const { shell, password } = this.#home;
    await shell.run(`cp -R ${this.#folder} standby && touch standby/standby.signal`);
    const follow = `host=127.0.0.1 port=${port} user=postgres password=${password} application_name=${standbyName}`;
    return new PostgresCluster(this.#home, 'standby', await freePort(), {
      primary_conninfo: follow,
      // It asks for the primary again this often, and for what is lost on the way.
      wal_retrieve_retry_interval: '100ms',
    });
  }

  url(port = this.port): string {
    return `postgres://postgres:${this.#home.password}@127.0.0.1:${port}/postgres`;
  }

  /** For servers; what they keep in files goes when the cluster does. */
  place(port = this.port): Place {
    return { databaseUrl: this.url(port), dataDir: join(this.#home.shell.folder, 'data') };
  }

  /** Resolves when it takes connections. */
  async start(): Promise<void> {
    const flags = Object.entries(this.#settings).map(([name, value]) => `-c ${name}="${value}"`);
    await this.#run(`$bin/pg_ctl start --wait -D ${this.#folder} -l postgres.log -o '${flags.join(' ')}'`);
  }

  /** As a machine that fails: everything is gone at once, with what was in memory. */
  async kill(): Promise<void> {
    const pid = `$(head -n 1 ${this.#folder}/postmaster.pid)`;
    // Orphans may stay as zombies where nobody collects them: a new one must not take them for a running one.
    await this.#run(
      `kill -9 ${pid} $(ps -A -o ppid= -o pid= | awk -v p=${pid} '$1 == p { print $2 }') && rm ${this.#folder}/postmaster.pid`,
    );
  }

  /** A standby becomes a primary. */
  async promote(): Promise<void> {
    await this.#run(`$bin/pg_ctl promote --wait -D ${this.#folder}`);
  }

  /** With it goes its standby. */
  async remove(): Promise<void> {
    await this.#home.shell.end();
  }

  #run(line: string): Promise<void> {
    return this.#home.shell.run(line);
  }
}
