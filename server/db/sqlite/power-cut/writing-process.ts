import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('./write-for-ever.ts', import.meta.url));

/** A process that writes all the time and says what has been acknowledged. It can be stopped in the middle of it. */
export class WritingProcess {
  readonly acknowledged: number[] = [];
  #child: ChildProcess;

  constructor(dataDir: string, mode: 'synced' | 'unsynced') {
    const child = spawn(process.execPath, [program, dataDir, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface(child.stdout).on('line', (line) => this.acknowledged.push(Number(line)));
    this.#child = child;
  }

  async freeze(): Promise<void> {
    this.#child.kill('SIGSTOP');
    while (!this.#isFrozen()) await sleep(1);
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  async end(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  /** A thread that waits for the disk stops only when it has been served. */
  #isFrozen(): boolean {
    const tasks = `/proc/${this.#child.pid}/task`;
    return readdirSync(tasks).every((task) => /\) T /.test(readFileSync(`${tasks}/${task}/stat`, 'utf8')));
  }
}
