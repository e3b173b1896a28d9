import type { FastifyInstance } from 'fastify';
import type { Database } from '../../server/db/database.ts';
import { appOf } from './app.ts';
import { freePort } from './free-port.ts';

export interface LocalServer {
  address: string;
  /** Breaks all connections, as the end of a process does. */
  stop(): Promise<void>;
}

/** The server in this process: several times cheaper than a separate process. It leaves the database open. */
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
