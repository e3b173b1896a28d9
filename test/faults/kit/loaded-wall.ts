import { setTimeout as sleep } from 'node:timers/promises';
import { type Person, signedInPeople } from '../../measurements/people.ts';
import type { Place } from '../../kit/engines.ts';
import { freePort } from '../../kit/free-port.ts';
import { SECRET, type ServerProcess, startServer } from '../../kit/server-process.ts';
import { Readers } from './readers.ts';
import { Writers } from './writers.ts';

/**
 * Signed-in people, a server that keeps its address when it is started again, and load. Nothing of it outlives the case,
 * however that ends.
 */
export class LoadedWall implements AsyncDisposable {
  readonly place: Place;
  readonly people: readonly Person[];
  readonly address: string;
  #server: ServerProcess | undefined;
  #writers: Writers[] = [];
  #readers: Readers[] = [];

  private constructor(place: Place, people: readonly Person[], port: number) {
    this.place = place;
    this.people = people;
    this.address = `http://127.0.0.1:${port}`;
  }

  static async open(place: Place, people = 32): Promise<LoadedWall> {
    return new LoadedWall(place, await signedInPeople(place, people), await freePort());
  }

  async start(settings: NodeJS.ProcessEnv = {}, program?: string): Promise<ServerProcess> {
    const { port } = new URL(this.address);
    const all = { PORT: port, SECRET, RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...settings };
    return (this.#server = await startServer(this.place, all, program));
  }

  /** Everybody begins to publish. */
  write(): Writers {
    const writers = new Writers(this.address, this.people);
    this.#writers.push(writers);
    return writers;
  }

  /** One reader per path begins to read. */
  read(paths: readonly string[]): Readers {
    const readers = new Readers(this.address, paths);
    this.#readers.push(readers);
    return readers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const writers of this.#writers) writers.abandon();
    await this.#server?.stop('SIGKILL');
    await Promise.all(this.#readers.map((readers) => readers.stop()));
  }
}

/** Exit status of a server that is about to end; null if it does not end in time. Then it is killed. */
export async function endsWithin(server: ServerProcess, ms: number): Promise<number | null> {
  const code = await Promise.race([server.ended, sleep(ms, null, { ref: false })]);
  await server.stop('SIGKILL');
  return code;
}

/** Settings with which a server loads a module of faults/preloaded first. */
export const preload = (name: string): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${import.meta.resolve(`../preloaded/${name}.ts`)}`,
});
