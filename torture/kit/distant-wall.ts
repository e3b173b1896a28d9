import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { Database } from '../../server/db/database.ts';
import { openDatabase } from '../../server/db/open-database.ts';
import { type Engine, freshPlace } from '../../test/engines.ts';
import { freePort } from '../../test/free-port.ts';
import { type ServerProcess, startServer } from '../../test/server-process.ts';
import { type MailServer, startMailServer } from '../../test/smtp.ts';
import { SECRET } from './people.ts';

/** Server processes on one database, asked in turn over HTTP with the words in which tests ask an app of their own. */
export interface DistantWall {
  app: Pick<FastifyInstance, 'inject'>;
  mail: MailServer;
  /** The same database once more. */
  db: Database;
  /** Nobody's: the processes have their own. */
  clock: { now: number };
  servers: ServerProcess[];
  /** Ends a process by kill -9 and starts another in its place. */
  replace(index: number): Promise<void>;
  close(): Promise<void>;
}

const connectionsEach = 500;

/** SQLite has one process, PostgreSQL any number. */
const processesOf = { sqlite: 1, postgres: 3 } as const satisfies Record<Engine, number>;

export async function openDistantWall(engine: Engine, settings: NodeJS.ProcessEnv = {}): Promise<DistantWall> {
  const { place, remove } = await freshPlace(engine);
  const mail = await startMailServer();
  const start = (port: number) =>
    startServer(place, {
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
  const db = await openDatabase(place, () => {});
  const agent = new Agent({ keepAlive: true, maxSockets: connectionsEach });
  let turn = 0;

  return {
    app: {
      inject: (options: InjectOptions) => ask(agent, ports[(turn += 1) % ports.length]!, options),
    } as DistantWall['app'],
    mail,
    db,
    clock: { now: 0 },
    servers,
    async replace(index) {
      await servers[index]!.stop('SIGKILL');
      servers[index] = await start(ports[index]!);
    },
    async close() {
      agent.destroy();
      await db.close();
      await Promise.all(servers.map((server) => server.stop()));
      await mail.close();
      await remove();
    },
  };
}

/** One request of an `inject`, over HTTP; rejects where the connection breaks. */
async function ask(
  agent: Agent,
  port: number,
  { method = 'GET', url, headers, cookies = {}, payload, remoteAddress }: InjectOptions,
): Promise<LightMyRequestResponse> {
  const isText = typeof payload === 'string' || payload === undefined;
  const body = isText ? payload : JSON.stringify(payload);
  const cookie = Object.entries(cookies as Record<string, string>)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
  const { promise, resolve, reject } = Promise.withResolvers<LightMyRequestResponse>();
  const all = {
    ...(remoteAddress && { 'x-forwarded-for': remoteAddress }),
    ...(cookie && { cookie }),
    ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    ...(!isText && { 'content-type': 'application/json' }),
    ...headers,
  };
  const sent = request({ agent, host: '127.0.0.1', port, method, path: url as string, headers: all });
  sent.on('error', reject);
  sent.on('response', (response) => {
    const toReply = (bytes: Buffer): LightMyRequestResponse => {
      const text = bytes.toString('utf8');
      const set = response.headers['set-cookie'] ?? [];
      return {
        statusCode: response.statusCode!,
        headers: response.headers,
        body: text,
        json: () => JSON.parse(text) as never,
        cookies: set.map((line) => /^(?<name>[^=]+)=(?<value>[^;]*)/.exec(line)!.groups!),
      } as unknown as LightMyRequestResponse;
    };
    buffer(response).then((bytes) => resolve(toReply(bytes)), reject);
  });
  sent.end(body);
  return promise;
}
