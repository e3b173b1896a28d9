import { setTimeout as sleep } from 'node:timers/promises';
import { type Person, signedInPeople } from '../../measurements/people.ts';
import type { Figure } from '../../measurements/report.ts';
import type { StorageSettings } from '../../kit/engines.ts';
import { freePort } from '../../kit/free-port.ts';
import { SECRET, type ServerProcess, startServer } from '../../kit/server-process.ts';
import { audit, nothingLost } from './audit.ts';
import { Readers, Writers } from './load.ts';

const people = 32;

/**
 * A server with people who publish all the time. It keeps its address when it is started again. Nothing of it outlives the case,
 * however that ends.
 */
export class LoadedWall implements AsyncDisposable {
  readonly storage: StorageSettings;
  readonly people: readonly Person[];
  readonly address: string;
  readonly writing: Writers;
  server: ServerProcess;
  #settings: NodeJS.ProcessEnv;
  #readers: Readers[] = [];

  private constructor(
    storage: StorageSettings,
    writing: readonly Person[],
    server: ServerProcess,
    settings: NodeJS.ProcessEnv,
  ) {
    this.storage = storage;
    this.people = writing;
    this.address = server.address;
    this.server = server;
    this.writing = new Writers(server.address, writing);
    this.#settings = settings;
  }

  /** Resolves when the first text is acknowledged. */
  static async open(storage: StorageSettings, settings: NodeJS.ProcessEnv = {}): Promise<LoadedWall> {
    const all = { PORT: String(await freePort()), SECRET, RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...settings };
    const writing = await signedInPeople(storage, people);
    const wall = new LoadedWall(storage, writing, await startServer(storage, all), all);
    await wall.writing.next(201);
    return wall;
  }

  /** Starts the server again after it has ended. */
  async start(program?: string, settings: NodeJS.ProcessEnv = {}): Promise<ServerProcess> {
    return (this.server = await startServer(this.storage, { ...this.#settings, ...settings }, program));
  }

  /** One reader per path begins to read. */
  read(paths: readonly string[]): Readers {
    const readers = new Readers(this.address, paths);
    this.#readers.push(readers);
    return readers;
  }

  /** Exit status of a server that is about to end; null if it does not end in time. Then it is killed. */
  async endsWithin(ms: number): Promise<number | null> {
    const code = await Promise.race([this.server.ended, sleep(ms, null, { ref: false })]);
    await this.server.stop('SIGKILL');
    return code;
  }

  /** Ends the load, then the server. */
  async stop(): Promise<void> {
    await Promise.all([this.writing, ...this.#readers].map((load) => load.stop()));
    await this.server.stop();
  }

  /** What a wall that has ended has lost. */
  async nothingLost(what: string, atLeast: number): Promise<Figure> {
    return nothingLost(what, await audit(this.storage, this.writing.acknowledged), atLeast);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.writing.abandon();
    await this.server.stop('SIGKILL');
    await Promise.all(this.#readers.map((readers) => readers.stop()));
  }
}

/** Settings with which a server loads faults/preloaded.ts first. */
export const preload = (settings: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  NODE_OPTIONS: `--import=${import.meta.resolve('../preloaded.ts')}`,
  ...settings,
});
