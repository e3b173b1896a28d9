import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, openSync, closeSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from '../../kit/node-process.ts';
import { SupervisedShell } from '../../kit/supervised-shell.ts';

/** Folders that each machine has for itself, and their owners. */
type OwnFolders = Readonly<Record<string, string>>;

/** Networks for measurements, RFC 2544: nothing else uses them. */
const networks = '198.18';
const tries = 20;
const goneWithinMs = 5_000;

/**
 * Machines on one switch: network namespaces with an address, a name and folders of their own. They have the programs of
 * this system and end with this process.
 */
export class Machines implements AsyncDisposable {
  readonly all: readonly Machine[];
  /** In CIDR notation; this process is in it too. */
  readonly network: string;
  #shell: SupervisedShell;

  private constructor(shell: SupervisedShell, network: string, all: readonly Machine[]) {
    this.#shell = shell;
    this.network = network;
    this.all = all;
  }

  static async make(names: readonly string[], folders: OwnFolders): Promise<Machines> {
    const cleanUp = `
      for machine in $machines; do
        while pids=$(ip netns pids $machine) && [ "$pids" ]; do kill -9 $pids; sleep 0.05; done
        ip link del $machine
        ip netns del $machine
      done
      [ -z "$switch" ] || ip link del $switch`;
    const shell = new SupervisedShell('machines', { cleanUp });
    try {
      const part = await addSwitch(shell);
      const all = [];
      for (const [i, name] of names.entries()) {
        const id = `stena${part}-${name}`;
        const address = `${networks}.${part}.${11 + i}`;
        await shell.run(`ip netns add ${id} && machines="$machines ${id}"`);
        await shell.run(
          `ip link add ${id} type veth peer name eth0 netns ${id} && ip link set ${id} master $switch up`,
        );
        await shell.run(
          `ip -n ${id} address add ${address}/24 dev eth0 && ip -n ${id} link set lo up && ip -n ${id} link set eth0 up`,
        );
        all.push(new Machine(name, id, address, join(shell.folder, name), folders));
      }
      return new Machines(shell, `${networks}.${part}.0/24`, all);
    } catch (error) {
      await shell.end();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#shell.end();
  }
}

/** Returns the third number of the addresses. Other tests may use some networks. */
async function addSwitch(shell: SupervisedShell): Promise<number> {
  for (let left = tries; ; left -= 1) {
    const part = Math.floor(Math.random() * 256);
    try {
      await shell.run(`ip link add stena${part} type bridge && switch=stena${part}`);
      await shell.run(`ip address add ${networks}.${part}.1/24 dev $switch && ip link set $switch up`);
      return part;
    } catch (error) {
      if (left === 1) throw error;
    }
  }
}

export class Machine {
  readonly name: string;
  readonly address: string;
  #id: string;
  #folder: string;
  /** The id of the process that keeps its file systems mounted. */
  #holder: number;

  constructor(name: string, id: string, address: string, folder: string, folders: OwnFolders) {
    this.name = name;
    this.address = address;
    this.#id = id;
    this.#folder = folder;
    mkdirSync(folder);
    // In memory: no machine loses power here, and many machines share one disk.
    const mounts = Object.entries(folders).map(
      ([path, owner]) => `mkdir -p ${path} && mount -t tmpfs -o mode=755,uid=$(id -u ${owner}) tmpfs ${path}`,
    );
    const holding = [...mounts, 'echo mounted', 'exec sleep infinity'].join(' && ');
    const ready = join(folder, 'ready');
    this.#holder = this.#spawn(['ip', 'netns', 'exec', id, 'unshare', '--mount', 'sh', '-c', holding], ready);
    while (!readFileSync(ready, 'utf8').includes('mounted')) {
      if (hasEnded(this.#holder)) throw new Error(`${id}: ${readFileSync(ready, 'utf8')}`);
      execFileSync('sleep', ['0.01']);
    }
  }

  /** Runs shell commands as root in the project’s folder; returns what they print. */
  run(commands: string): string {
    const [program, ...args] = this.#inside(['sh', '-ec', commands]);
    return execFileSync(program!, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  /** Starts a program as a user. */
  start(name: string, user: string, commands: string): void {
    const as = ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', 'sh', '-ec', commands];
    this.#spawn(this.#inside(as), this.logOf(name));
  }

  logOf(name: string): string {
    return join(this.#folder, `${name}.log`);
  }

  /** Ids of its processes whose command contains `text`. */
  pids(text = ''): number[] {
    const all = execFileSync('ip', ['netns', 'pids', this.#id], { encoding: 'utf8' }).split('\n').filter(Boolean);
    return all.map(Number).filter((pid) => pid !== this.#holder && commandOf(pid)?.includes(text));
  }

  /** Sends a signal to all processes whose command contains `text`, or to all of the machine. */
  signal(signal: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT', text = ''): void {
    for (const pid of this.pids(text)) {
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended.
      }
    }
  }

  /** Kills processes; resolves when they are gone. */
  async kill(text = ''): Promise<void> {
    for (const deadline = performance.now() + goneWithinMs; this.pids(text).length > 0; await sleep(20)) {
      this.signal('SIGKILL', text);
      if (performance.now() > deadline) throw new Error(`${this.name}: “${text}” does not end`);
    }
  }

  /** Pulls out the network cable. */
  cutOff(): void {
    execFileSync('ip', ['link', 'set', this.#id, 'down']);
  }

  reconnect(): void {
    execFileSync('ip', ['link', 'set', this.#id, 'up']);
  }

  #inside(command: readonly string[]): string[] {
    return ['nsenter', `--target=${this.#holder}`, '--mount', '--net', `--wd=${root}`, ...command];
  }

  #spawn([program, ...args]: readonly string[], log: string): number {
    const to = openSync(log, 'a');
    const child = spawn(program!, args, { cwd: root, detached: true, stdio: ['ignore', to, to] });
    closeSync(to);
    child.unref();
    return child.pid!;
  }
}

/** Whether a child has ended, by its state `Z`. An empty command is no sign of that: it is also empty while `exec` replaces the program. */
function hasEnded(pid: number): boolean {
  return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/, ''));
}

function commandOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return undefined;
  }
}
