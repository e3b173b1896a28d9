import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { buildApp } from '../../server/app.ts';
import { type Config, readConfig } from '../../server/config.ts';
import type { Database } from '../../server/db/database.ts';
import { openTransport } from '../../server/mail/transport.ts';
import { loadWebBuild } from '../../server/pages/web-build.ts';
import { makeSecrets } from '../../server/secrets.ts';
import { noReadLimits, SECRET } from './server-process.ts';
import { checkRefusals } from './described-refusals.ts';
import { freePort } from './free-port.ts';

// React is several times slower in development mode.
process.env['NODE_ENV'] = 'production';

interface AppSettings {
  /** Environment variables of the server. */
  settings: NodeJS.ProcessEnv;
  log?: FastifyBaseLogger | undefined;
  /** Unix time in seconds. */
  now?: () => number;
}

/** Builds the app in this process, as the server’s main file does. */
export async function appOf(db: Database, { settings, log, now }: AppSettings): Promise<FastifyInstance> {
  const config: Config = readConfig({ ...noReadLimits, ...settings });
  const app = await buildApp({
    config,
    db,
    web: await loadWebBuild(),
    secrets: makeSecrets(config.secret ?? SECRET, config.secretPrevious),
    transport: openTransport(config, () => {}),
    log: log ?? pino({ level: config.logLevel }, pino.destination(2)),
    ...(now && { now }),
  });
  checkRefusals(app);
  return app;
}

export interface LocalServer {
  address: string;
  /** Breaks all connections, as the end of a process does. */
  stop(): Promise<void>;
}

/** Starts the server in this process, which is several times cheaper than a separate one. Stopping it leaves the database open. */
export async function startLocalServer(db: Database, settings: NodeJS.ProcessEnv = {}): Promise<LocalServer> {
  // The port must be known in advance: it is part of canonical links.
  const port = Number(settings['PORT'] ?? (await freePort()));
  const app = await appOf(db, { settings: { ...settings, PORT: String(port) } });
  await app.listen({ host: '127.0.0.1', port });
  return { address: `http://localhost:${port}`, stop: () => stop(app) };
}

async function stop(app: FastifyInstance): Promise<void> {
  app.server.close();
  app.server.closeAllConnections();
  await app.close();
}
