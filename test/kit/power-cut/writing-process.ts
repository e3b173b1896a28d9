import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freeze, resume } from '../freeze.ts';

const program = fileURLToPath(new URL('./write-for-ever.ts', import.meta.url));

/** A process that writes continuously and reports acknowledged writes. It can be stopped during a write. */
export class WritingProcess {
  readonly acknowledged: number[] = [];
  #child: ChildProcess;

  constructor(dataDir: string, mode: 'synced' | 'unsynced') {
    const child = spawn(process.execPath, [program, dataDir, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
    createInterface(child.stdout).on('line', (line) => this.acknowledged.push(Number(line)));
    this.#child = child;
  }

  freeze(): Promise<void> {
    return freeze(this.#child);
  }

  resume(): void {
    resume(this.#child);
  }

  async end(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }
}
