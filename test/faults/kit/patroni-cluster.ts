import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../kit/free-port.ts';
import { root } from '../../kit/node-process.ts';
import { SupervisedShell } from '../../kit/supervised-shell.ts';
import { type Machine, Machines } from './machines.ts';

/** Folders of each machine with their owners. */
const folders = {
  '/var/lib/postgresql': 'postgres',
  '/var/run/postgresql': 'postgres',
  '/var/lib/etcd': 'etcd',
  '/etc/patroni': 'root',
  '/etc/default': 'root',
  '/etc/haproxy': 'root',
};
const names = ['db1', 'db2', 'db3'];
const patienceMs = 60_000;
const responseMs = 1_000;
const longerThanTtlMs = 8_000;

/** The state that Patroni reports of a machine. */
interface Member {
  name: string;
  role: 'leader' | 'sync_standby' | 'replica';
  state: string;
  timeline?: number;
  lag?: number | 'unknown';
}

/** Three machines with etcd, Patroni and PostgreSQL behind HAProxy, configured with the files of deploy/cluster. */
export class PatroniCluster implements AsyncDisposable {
  readonly machines: readonly Machine[];
  /** The primary through HAProxy. The data folder of servers is removed together with the cluster. */
  readonly storage: { databaseUrl: string; dataDir: string };
  /** The URLs of all machines, without HAProxy. */
  readonly readUrls: string;
  #cleanup: AsyncDisposableStack;
  #password: string;

  private constructor(machines: readonly Machine[], home: Home, cleanup: AsyncDisposableStack) {
    this.machines = machines;
    this.#cleanup = cleanup;
    this.#password = home.password;
    this.storage = { databaseUrl: this.#at(`127.0.0.1:${home.port}`), dataDir: join(home.shell.folder, 'data') };
    this.readUrls = machines.map(({ address }) => this.#at(`${address}:5432`)).join(',');
  }

  static async start(): Promise<PatroniCluster> {
    await using starting = new AsyncDisposableStack();
    const machines = starting.use(await Machines.make(names, folders));
    const shell = new SupervisedShell('haproxy', { cleanUp: 'kill -KILL $proxy; wait' });
    starting.defer(() => shell.end());
    const home = { shell, password: newPassword(), port: await freePort() };
    const settings = join(shell.folder, 'cluster.env');
    writeFileSync(settings, settingsOf(machines));
    const steps = documentedSteps();
    // There is no systemd: the services are started here.
    const prepare = `export CLUSTER_ENV=${settings}; systemctl() { :; };`;

    for (const machine of machines.all) {
      machine.run(prepare + steps.configure.replace('NAME=db1', `NAME=${machine.name}`));
      startEtcd(machine);
    }
    for (const machine of machines.all) startPatroni(machine);
    const proxy = machines.all[0]!.run(`${prepare} ${steps.proxy} cat /etc/haproxy/haproxy.cfg`);
    writeFileSync(
      join(shell.folder, 'haproxy.cfg'),
      proxy.replace('bind 127.0.0.1:5000', `bind 127.0.0.1:${home.port}`).replace(/^ +(log|user|group) .*\n/gm, ''),
    );
    await shell.run('haproxy -db -f haproxy.cfg & proxy=$!');
    const cluster = new PatroniCluster(machines.all, home, starting.move());
    try {
      const leader = await cluster.whole();
      leader.run(steps.database.replace('PASSWORD', home.password));
    } catch (error) {
      await cluster[Symbol.asyncDispose]();
      throw error;
    }
    return cluster;
  }

  /** Resolves to the leader when all machines work, etcd has a leader and one standby is synchronous. */
  async whole(): Promise<Machine> {
    for (const machine of this.machines)
      await this.#untilEtcd(async () => ((await etcdOf(machine))?.leaderInfo.leader ? machine : undefined));
    const members = await this.#until('whole', isWhole);
    return this.#machine(members.find(({ role }) => role === 'leader')!.name);
  }

  /** Resolves when another machine than `former` is the leader. */
  async takenOver(former: Machine): Promise<void> {
    await this.#until('taken over', (members) =>
      members.some(({ name, role, state }) => role === 'leader' && state === 'running' && name !== former.name),
    );
  }

  async standby(wanted: Member['role']): Promise<Machine> {
    const members = await this.#members();
    return this.#machine(members.find(({ role }) => role === wanted)!.name);
  }

  leaderOfEtcd(): Promise<Machine> {
    return this.#untilEtcd(async () => {
      const states = await Promise.all(this.machines.map(etcdOf));
      return this.machines.find((_, i) => states[i]?.state === 'StateLeader');
    });
  }

  /** Makes the synchronous standby the primary, as docs/guide/cluster.md says. */
  switchOver(leader: Machine): void {
    leader.run(
      `runuser -u postgres -- patronictl -c /etc/patroni/config.yml switchover --master ${leader.name} --force`,
    );
  }

  /** Starts what has ended, lets go on what was stopped and connects what was cut off. */
  mend(): void {
    for (const machine of this.machines) {
      machine.reconnect();
      machine.signal('SIGCONT');
      if (machine.pids('/usr/bin/etcd').length === 0) startEtcd(machine);
      if (machine.pids('/usr/bin/patroni').length === 0) startPatroni(machine);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cleanup[Symbol.asyncDispose]();
  }

  /** The storage settings for one machine, without HAProxy. */
  storageOf({ address }: Machine): { databaseUrl: string; dataDir: string } {
    return { ...this.storage, databaseUrl: this.#at(`${address}:5432`) };
  }

  #at(host: string): string {
    return `postgres://stena:${this.#password}@${host}/stena`;
  }

  #machine(name: string): Machine {
    return this.machines.find((machine) => machine.name === name)!;
  }

  async #until(what: string, holds: (members: readonly Member[]) => boolean): Promise<readonly Member[]> {
    let members: Member[] = [];
    for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(50)) {
      members = await this.#members();
      if (holds(members)) return members;
    }
    const logs = this.machines.map((machine) => lastLines(machine.logOf('patroni')));
    throw new Error([`The cluster is not ${what}: ${JSON.stringify(members)}`, ...logs].join('\n'));
  }

  async #untilEtcd(found: () => Promise<Machine | undefined>): Promise<Machine> {
    for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(50)) {
      const machine = await found();
      if (machine) return machine;
    }
    throw new Error('etcd has no leader');
  }

  /** The members as the first machine that responds reports them. A machine that is cut off reports no leader. */
  async #members(): Promise<Member[]> {
    for (const { address } of this.machines) {
      try {
        const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(responseMs) });
        return ((await response.json()) as { members?: Member[] }).members ?? [];
      } catch {
        // Another one may answer.
      }
    }
    return [];
  }
}

interface Home {
  shell: SupervisedShell;
  password: string;
  port: number;
}

const newPassword = (): string => randomBytes(24).toString('hex');

/** Values for deploy/cluster/cluster.env. */
function settingsOf({ all, network }: Machines): string {
  const values = {
    ...Object.fromEntries(all.map(({ name, address }) => [name.toUpperCase(), address])),
    NETWORK: network,
    SUPERUSER_PASSWORD: newPassword(),
    REPLICATION_PASSWORD: newPassword(),
    PATRONI_PASSWORD: newPassword(),
  };
  let settings = readFileSync(join(root, 'deploy/cluster/cluster.env'), 'utf8');
  for (const [name, value] of Object.entries(values)) {
    settings = settings.replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=${value}`);
  }
  return settings;
}

/** The commands of docs/guide/cluster.md, so that they are run as they are written. */
function documentedSteps(): { configure: string; database: string; proxy: string } {
  const page = readFileSync(join(root, 'docs/guide/cluster.md'), 'utf8');
  const steps = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, step]) => step!);
  const withText = (text: string): string => steps.find((step) => step.includes(text))!;
  return {
    configure: withText('NAME=db1'),
    database: withText('createdb'),
    proxy: withText('/etc/haproxy/haproxy.cfg'),
  };
}

/** What etcd on this machine says of itself; undefined when it does not respond. */
async function etcdOf({ address }: Machine): Promise<{ state: string; leaderInfo: { leader: string } } | undefined> {
  try {
    const response = await fetch(`http://${address}:2379/v2/stats/self`, { signal: AbortSignal.timeout(responseMs) });
    return (await response.json()) as Awaited<ReturnType<typeof etcdOf>>;
  } catch {
    return undefined;
  }
}

/** Starts etcd as Debian’s unit does. */
function startEtcd(machine: Machine): void {
  machine.start('etcd', 'etcd', 'set -a; . /etc/default/etcd; exec /usr/bin/etcd');
}

function startPatroni(machine: Machine): void {
  machine.start('patroni', 'postgres', 'exec /usr/bin/patroni /etc/patroni/config.yml');
}

function isWhole(members: readonly Member[]): boolean {
  const leader = members.find(({ role }) => role === 'leader');
  const follows = ({ state, timeline }: Member): boolean =>
    ['running', 'streaming'].includes(state) && timeline === leader?.timeline;
  return (
    members.length === names.length && members.every(follows) && members.some(({ role }) => role === 'sync_standby')
  );
}

function lastLines(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(-15).join('\n') : '';
}

/** Something bad that happens to a cluster, and whether another machine has to take over. */
export interface Trouble {
  name: string;
  takesOver: boolean;
  happen(cluster: PatroniCluster, leader: Machine): Promise<void> | void;
}

export const killedPostgres: Trouble = {
  name: 'PostgreSQL killed',
  takesOver: true,
  happen: (_, leader) => leader.kill('postgres'),
};

export const troubles: readonly Trouble[] = [
  killedPostgres,
  { name: 'machine killed', takesOver: true, happen: (_, leader) => leader.kill() },
  { name: 'PostgreSQL stopped', takesOver: true, happen: (_, leader) => leader.signal('SIGSTOP', 'postgres') },
  { name: 'machine stopped', takesOver: true, happen: (_, leader) => leader.signal('SIGSTOP') },
  { name: 'primary cut off', takesOver: true, happen: (_, leader) => leader.cutOff() },
  {
    name: 'synchronous standby cut off',
    takesOver: false,
    happen: async (cluster) => (await cluster.standby('sync_standby')).cutOff(),
  },
  {
    name: 'leader of etcd killed',
    takesOver: false,
    happen: async (cluster) => (await cluster.leaderOfEtcd()).kill('/usr/bin/etcd'),
  },
  {
    name: 'etcd killed on two machines',
    takesOver: false,
    async happen(cluster) {
      await Promise.all(cluster.machines.slice(0, 2).map((machine) => machine.kill('/usr/bin/etcd')));
      await sleep(longerThanTtlMs);
    },
  },
  { name: 'switchover', takesOver: true, happen: (cluster, leader) => cluster.switchOver(leader) },
  {
    name: 'PostgreSQL and the leader of etcd killed',
    takesOver: true,
    async happen(cluster, leader) {
      const etcd = await cluster.leaderOfEtcd();
      await Promise.all([etcd.kill('/usr/bin/etcd'), leader.kill('postgres')]);
    },
  },
  {
    name: 'primary cut off and PostgreSQL of a standby killed',
    takesOver: true,
    async happen(cluster, leader) {
      const standby = await cluster.standby('replica');
      leader.cutOff();
      await standby.kill('postgres');
    },
  },
];
