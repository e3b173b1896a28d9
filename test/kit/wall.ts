import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { createUser } from './create-user.ts';
import type { Database } from '../../server/db/database.ts';
import { changeState } from '../../server/features/posts/post-states.ts';
import { createPost, createReply, lockPost } from '../../server/features/posts/post-writes.ts';
import { appOf } from './app.ts';
import { type Engine, openFresh } from './engines.ts';
import { type MailServer, startMailServer } from './smtp.ts';

/** `await using` closes it. */
export interface Wall extends AsyncDisposable {
  app: FastifyInstance;
  db: Database;
  mail: MailServer;
  /** Unix time of the app in seconds; settable. */
  clock: { now: number };
  get(path: string, headers?: Record<string, string>): Promise<Got>;
  person(username: string): Promise<number>;
  post(userId: number, text: string): Promise<number>;
  reply(userId: number, repliedTo: number, text: string): Promise<number>;
  remove(id: number): Promise<void>;
  close(): Promise<void>;
}

interface Got {
  status: number;
  json: ReturnType<typeof JSON.parse>;
  text: string;
  headers: Record<string, unknown>;
}

/** The mail server that all walls of the process share. */
let mailServer: Promise<MailServer> | undefined;

const silent = pino({ level: 'silent' });

const startOfTime = 1_700_000_000;

/** Settings with a public address, for which an IP address has the usual limits. On localhost they are ten times as high. */
export const notOnLocalhost = { PUBLIC_URL: 'http://wall.example' };

/** The whole app on a new database of the engine, tested through its HTTP interface. */
export async function openWall(
  engine: Engine,
  settings: NodeJS.ProcessEnv = {},
  log: FastifyBaseLogger = silent,
): Promise<Wall> {
  const fresh = await openFresh(engine);
  // An open database would keep the process running when the app cannot be built, for example without the web build.
  const wall = await wallOver(fresh.db, settings, log).catch(async (error: Error) => {
    await fresh.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await wall.app.close();
    await fresh.close();
  };
  return { ...wall, close, [Symbol.asyncDispose]: close };
}

/** The app on a database that the caller closes. */
export async function wallOver(
  db: Database,
  settings: NodeJS.ProcessEnv = {},
  log: FastifyBaseLogger = silent,
): Promise<Wall> {
  mailServer ??= startMailServer();
  const mail = await mailServer;
  const clock = { now: startOfTime };
  const app = await appOf(db, { settings: { SMTP_URL: mail.url, ...settings }, log, now: () => clock.now });
  return {
    app,
    db,
    mail,
    clock,
    async get(path, headers = {}) {
      const response = await app.inject({ method: 'GET', url: path, headers });
      const text = response.body;
      const isJson = String(response.headers['content-type']).startsWith('application/json');
      return {
        status: response.statusCode,
        json: isJson ? JSON.parse(text) : undefined,
        text,
        headers: response.headers,
      };
    },
    person: (username) =>
      db.tx((tx) => createUser(tx, { username, email: `${username.toLowerCase()}@example.org`, now: clock.now })),
    post: (userId, text) => db.tx((tx) => createPost(tx, { userId, text, now: clock.now++ })),
    reply: async (userId, repliedTo, text) =>
      (await db.tx((tx) => createReply(tx, repliedTo, { userId, text, now: clock.now++ })))!,
    remove: (id) => db.tx(async (tx) => changeState(tx, (await lockPost(tx, id))!, { to: 'gone' }, clock.now)),
    close: () => app.close(),
    [Symbol.asyncDispose]: () => app.close(),
  };
}
