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
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** The server as people start it, in a process of its own. */
export async function startServer(
  { databaseUrl, dataDir }: Place,
  settings: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [main], {
    env: {
      PORT: '0',
      DATA_DIR: dataDir,
      READS_PER_MINUTE: '1000000',
      ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET: 'one secret for all the processes of a test' }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const logs = text(child.stderr);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  child.stdout.resume();
  return {
    address: /http:\S+/.exec(line.toString())![0],
    child,
    logs,
    async stop(signal = 'SIGTERM') {
      const ended = once(child, 'exit');
      child.kill(signal);
      await ended;
    },
  };
}
