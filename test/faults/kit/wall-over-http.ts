import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Database } from '../../../server/db/database.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { appOverHttp } from '../../kit/app-over-http.ts';
import { type Engine, freshStorage, type StorageSettings } from '../../kit/engines.ts';
import { freePort } from '../../kit/free-port.ts';
import { SECRET, type ServerProcess, startServer } from '../../kit/server-process.ts';
import { type Browser, openBrowser } from '../../kit/sign-in.ts';
import { type MailServer, startMailServer } from '../../kit/smtp.ts';
import { hangsAfterMs } from '../fault.ts';

const pauseMs = 20;

/** Server processes on one database that receive requests in turn, with the interface of an app in the test's process. */
export interface WallOverHttp extends AsyncDisposable {
  app: Pick<FastifyInstance, 'inject'>;
  mail: MailServer;
  storage: StorageSettings;
  /** Another connection to the database. */
  db: Database;
  /** Unused: the processes have their own clocks. */
  clock: { now: number };
  servers: ServerProcess[];
  ports: readonly number[];
  /** Ends a process, by default by kill -9, and starts another in its place after a while. */
  replace(index: number, signal?: 'SIGKILL' | 'SIGTERM', afterMs?: number): Promise<void>;
}

/** Only PostgreSQL allows several processes. */
const processesOf = { sqlite: 1, postgres: 3 } as const satisfies Record<Engine, number>;

export async function openWallOverHttp(engine: Engine, settings: NodeJS.ProcessEnv = {}): Promise<WallOverHttp> {
  const { storage, remove } = await freshStorage(engine);
  const mail = await startMailServer();
  const start = (port: number) =>
    startServer(storage, {
      PORT: String(port),
      SECRET,
      SMTP_URL: mail.url,
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'error',
      ...settings,
    });
  const ports: number[] = [];
  for (let i = 0; i < processesOf[engine]; i += 1) ports.push(await freePort());
  const servers = await Promise.all(ports.map(start));
  const db = await openDatabase(storage, () => {});
  const app = appOverHttp(...ports);

  return {
    app,
    mail,
    storage,
    db,
    clock: { now: 0 },
    servers,
    ports,
    async replace(index, signal = 'SIGKILL', afterMs = 0) {
      await servers[index]!.stop(signal);
      await sleep(afterMs);
      servers[index] = await start(ports[index]!);
    },
    async [Symbol.asyncDispose]() {
      app.close();
      await db.close();
      await Promise.all(servers.map((server) => server.stop()));
      await mail.close();
      await remove();
    },
  };
}

/** Repeats a request while the server is not running or overloaded, as the web app does. */
export async function untilAvailable(send: () => Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> {
  for (const deadline = performance.now() + hangsAfterMs; ; await sleep(pauseMs)) {
    const response = await send().catch(() => undefined);
    if (response && response.statusCode !== 503) return response;
    if (performance.now() > deadline) throw new Error('The server did not come back');
  }
}

/** A browser that keeps its cookies and sends each request to any of several processes. */
export interface RovingBrowser extends Browser {
  /** The process that got the last request. */
  last: string;
}

export function rovingBrowser(addresses: readonly string[], token: string): RovingBrowser {
  const apps = addresses.map((address) => ({ address, app: appOverHttp(Number(new URL(address).port)) }));
  const inject = (request: object) => {
    const { address, app } = apps[Math.floor(Math.random() * apps.length)]!;
    browser.last = address;
    return app.inject(request);
  };
  const app = { inject } as Pick<FastifyInstance, 'inject'>;
  const browser: RovingBrowser = Object.assign(openBrowser({ app, mail: undefined as never }), { token, last: '' });
  return browser;
}
