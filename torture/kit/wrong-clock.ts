import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../test/server-process.ts';
import { preload } from './preload.ts';

const lookEveryMs = 10;

/** The clock of server processes, set right and wrong while they run. */
export class WrongClock implements AsyncDisposable {
  /** For the servers. */
  readonly settings: NodeJS.ProcessEnv;
  wrongBySeconds = 0;
  #folder: string;
  #file: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, 'clock');
    this.settings = {
      ...preload(new URL('../preloaded/wrong-clock.ts', import.meta.url)),
      WRONG_CLOCK: this.#file,
    };
  }

  static async make(): Promise<WrongClock> {
    return new WrongClock(await mkdtemp(join(tmpdir(), 'stena-clock-')));
  }

  /** Resolves when all of them go by the new time. */
  async set(wrongBySeconds: number, servers: readonly ServerProcess[]): Promise<void> {
    const told = String(wrongBySeconds);
    // Whole or not at all: they look at any moment.
    await writeFile(`${this.#file}.new`, told);
    await rename(`${this.#file}.new`, this.#file);
    for (const { child } of servers) {
      const answer = `${this.#file}.${child.pid}`;
      while ((await readFile(answer, 'utf8').catch(() => '')) !== told) await sleep(lookEveryMs);
    }
    this.wrongBySeconds = wrongBySeconds;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}
