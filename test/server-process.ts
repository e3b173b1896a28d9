import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Place } from './engines.ts';

const main = fileURLToPath(new URL('../server/main.ts', import.meta.url));

export interface ServerProcess {
  address: string;
  child: ChildProcess;
  /** All it has logged, once it has ended. */
  logs: Promise<string>;
  /** Its exit status, once it has ended. */
  ended: Promise<number | null>;
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** The server, in a process of its own; `program` is what starts it where that is not itself. */
export async function startServer(
  { databaseUrl, dataDir }: Place,
  settings: NodeJS.ProcessEnv = {},
  program = main,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [program], {
    env: {
      PORT: '0',
      DATA_DIR: dataDir,
      READS_PER_MINUTE: '1000000',
      CONNECTIONS_PER_IP: '1000000',
      ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET: 'one secret for all the processes of a test' }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const logs = text(child.stderr);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const line = await Promise.race([once(child.stdout, 'data'), ended.then(() => undefined)]);
  if (!line) throw new Error(`The server did not start:\n${await logs}`);
  child.stdout.resume();
  return {
    address: /http:\S+/.exec(String(line))![0],
    child,
    logs,
    ended,
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      await ended;
    },
  };
}
