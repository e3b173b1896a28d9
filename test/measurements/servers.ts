import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, freshStorage, type StorageSettings } from '../kit/engines.ts';
import { root } from '../kit/node-process.ts';
import { SECRET, type ServerProcess, startServer } from '../kit/server-process.ts';
import { startMailServer } from '../kit/smtp.ts';
import { demoWall, fillDemo } from './demo-wall.ts';
import { type Person, signedInPeople } from './people.ts';

type CopiedWall = StorageSettings & { dataDir: string };

/** The servers of one run. Those of demo walls keep running until its end: an idle server costs nothing. */
export class Servers implements AsyncDisposable {
  #demo = new Map<number, Promise<ServerProcess>>();
  #cleanup = new AsyncDisposableStack();
  #smtpUrl: Promise<string> | undefined;

  /** The server as `npm start` runs it, over a demo wall of so many posts. */
  demo(posts: number): Promise<ServerProcess> {
    const server = this.#demo.get(posts) ?? demoWall(posts).then((storage) => this.start(storage));
    this.#demo.set(posts, server);
    return server;
  }

  /** The same on either engine. A wall on PostgreSQL is not cached. */
  async demoOn(engine: Engine, posts: number): Promise<ServerProcess> {
    if (engine === 'sqlite') return this.demo(posts);
    const { storage } = this.#cleanup.use(await freshStorage(engine));
    await fillDemo(storage, posts);
    return this.start(storage);
  }

  /** A server to write to, over a copy of a demo wall on the disk of the project, and people who are signed in there. */
  async writable(
    posts: number,
    people: number,
    settings: NodeJS.ProcessEnv = {},
  ): Promise<{ server: ServerProcess; people: Person[]; storage: CopiedWall }> {
    const storage = await this.copy(posts);
    const signedIn = await signedInPeople(storage, people);
    return { server: await this.start(storage, settings), people: signedIn, storage };
  }

  /** A copy of a demo wall on the disk of the project. */
  async copy(posts: number): Promise<CopiedWall> {
    const dataDir = await this.#folder();
    await cp((await demoWall(posts)).dataDir, dataDir, { recursive: true });
    return { databaseUrl: undefined, dataDir };
  }

  async #folder(): Promise<string> {
    const folder = await folderOnDisk();
    this.#cleanup.defer(() => rm(folder, { recursive: true }));
    return folder;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#cleanup.disposeAsync();
  }

  async start(storage: StorageSettings, settings: NodeJS.ProcessEnv = {}, program?: string): Promise<ServerProcess> {
    this.#smtpUrl ??= startMailServer().then((mail) => this.#cleanup.use(mail).url);
    const usual = {
      HOST: '127.0.0.1',
      SECRET,
      SMTP_URL: await this.#smtpUrl,
      // A load comes from one address.
      RATE_LIMITS: 'off',
      CODE_RESEND_SECONDS: '0',
      LOG_LEVEL: 'warn',
    };
    const server = await startServer(storage, { ...usual, ...settings }, program);
    return this.#cleanup.use(server);
  }
}

/** A new folder on the disk of the project. The system's folder for temporary files may be memory, where a sync is free. */
export async function folderOnDisk(): Promise<string> {
  const parent = join(root, 'node_modules/.cache');
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, 'stena-bench-'));
}
