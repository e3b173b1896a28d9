import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProcess } from '../../kit/server-process.ts';
import { preload } from './loaded-wall.ts';

const lookEveryMs = 10;

/** The clock of server processes, which can be set while they run. */
export class WrongClock implements AsyncDisposable {
  /** For the servers whose clock it is. */
  readonly settings: NodeJS.ProcessEnv;
  wrongBySeconds = 0;
  #folder: string;
  #file: string;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, 'clock');
    this.settings = { ...preload('wrong-clock'), WRONG_CLOCK: this.#file };
  }

  static async make(): Promise<WrongClock> {
    return new WrongClock(await mkdtemp(join(tmpdir(), 'stena-clock-')));
  }

  /** Resolves when all servers use the new time. */
  async set(wrongBySeconds: number, servers: readonly ServerProcess[]): Promise<void> {
    const seconds = String(wrongBySeconds);
    // The servers may read the file at any moment, so it is replaced at once.
    await writeFile(`${this.#file}.new`, seconds);
    await rename(`${this.#file}.new`, this.#file);
    for (const { child } of servers) {
      const confirmation = `${this.#file}.${child.pid}`;
      while ((await readFile(confirmation, 'utf8').catch(() => '')) !== seconds) await sleep(lookEveryMs);
    }
    this.wrongBySeconds = wrongBySeconds;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true });
  }
}
