import type { Place } from '../../test/engines.ts';
import { freePort } from '../../test/free-port.ts';
import { type ServerProcess, startServer } from '../../test/server-process.ts';
import { type Person, SECRET, signedInPeople } from './people.ts';
import { Readers } from './readers.ts';
import { Writers } from './writers.ts';

/**
 * What most trials are made on: people who are signed in, a server at one address, however often it is started, and
 * load. However a trial ends, nothing of it goes on.
 */
export class TriedWall implements AsyncDisposable {
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

  static async open(place: Place, people = 32): Promise<TriedWall> {
    return new TriedWall(place, await signedInPeople(place, people), await freePort());
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

  /** The paths begin to be read. */
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
