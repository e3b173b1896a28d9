import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { StorageSettings } from './engines.ts';
import { spawnNode, type Usage } from './node-process.ts';

/** `await using` stops it. */
export interface ServerProcess extends AsyncDisposable {
  address: string;
  port: number;
  child: ChildProcess;
  /** Resolves to the complete log when the process has exited. */
  logs: Promise<string>;
  /** Resolves to the exit status when the process has exited. */
  ended: Promise<number | null>;
  usage(): Promise<Usage>;
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** The secret that the servers of a test share, so that each accepts the tokens of the others. */
export const SECRET = 'one secret for all the processes of a test';

/** Environment variables that select the database. */
export const settingsOf = ({ databaseUrl, dataDir }: StorageSettings): NodeJS.ProcessEnv => ({
  DATA_DIR: dataDir,
  TZ: 'UTC',
  ...(databaseUrl && { DATABASE_URL: databaseUrl, SECRET }),
});

const restarts = 10;

/** Limits that are high enough for a test, which sends more requests from one address than a person. */
export const noReadLimits = { READS_PER_MINUTE: '1000000000', CONNECTIONS_PER_IP: '1000000' };

/**
 * Starts the server in a separate process; `program` replaces its main file. On a busy machine PostgreSQL may accept connections
 * too late. Then the server is started again, as systemd would do.
 */
export async function startServer(
  storage: StorageSettings,
  settings: NodeJS.ProcessEnv = {},
  program = 'server/main.ts',
): Promise<ServerProcess> {
  for (let left = restarts; ; left -= 1) {
    try {
      return await startListening(program, { PORT: '0', ...noReadLimits, ...settingsOf(storage), ...settings });
    } catch (error) {
      if (left === 0 || !String(error).includes('PostgreSQL is out of reach')) throw error;
    }
  }
}

/** Starts a program that prints the address it listens on. `input` goes to its standard input. */
export async function startListening(
  program: string,
  env: NodeJS.ProcessEnv,
  input = '',
  under: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawnNode([program], { env, errors: 'pipe', under });
  child.stdin!.end(input);
  const logs = text(child.stderr!);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const address = await printedAddress(child);
  if (!address) throw new Error(`The server did not start:\n${await logs}`);
  child.stdout!.resume();
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return {
    address,
    port: Number(new URL(address).port),
    child,
    logs,
    ended,
    async usage() {
      child.send('usage');
      const [usage] = (await once(child, 'message')) as [Usage];
      return usage;
    },
    stop,
    [Symbol.asyncDispose]: () => stop(),
  };
}

function printedAddress({ stdout }: ChildProcess): Promise<string | undefined> {
  const lines = createInterface({ input: stdout! });
  return new Promise((resolve) => {
    lines.once('close', () => resolve(undefined));
    lines.on('line', (line) => {
      const [address] = /https?:\/\/\S+/.exec(line) ?? [];
      if (address) resolve(address);
    });
  });
}
