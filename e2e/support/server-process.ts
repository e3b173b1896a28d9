import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/free-port.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const endWithParent = new URL(`../../scripts/end-with-parent.mjs?${process.pid}`, import.meta.url).href;

export interface ServerProcess {
  url: string;
  stop(): Promise<void>;
}

/** Environment variables of the server. */
export type Settings = Record<string, string>;

/** The server as `npm start` runs it, over the wall that lies in `dataDir`. */
export async function startServer(dataDir: string, settings: Settings): Promise<ServerProcess> {
  // Chosen beforehand, as canonical links tell the port.
  const port = await freePort();
  const child = spawn(process.execPath, [`--import=${endWithParent}`, 'server/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      // One browser here reads and signs in more than a house full of people.
      READS_PER_MINUTE: '1000000',
      RATE_LIMITS: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await printedAddress(child), stop: () => stop(child) };
}

async function printedAddress({ stdout }: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: stdout! })) {
    const address = /http:\/\/localhost:\d+/.exec(line);
    if (address) return address[0];
  }
  throw new Error('The server ended before it listened');
}

/** Its data is thrown away: nobody has to wait until it has taken leave of every browser. */
async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
