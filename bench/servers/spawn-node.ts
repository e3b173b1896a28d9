import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What `npm start` gives the server too. */
const memoryFlags = process.execArgv.filter((flag) => flag.startsWith('--max-semi-space-size'));

const attend = new URL('attend.ts', import.meta.url).href;

/** Starts this Node on files of the project, as a process that cannot outlive the bench. `stdio` must have an `ipc`. */
export function spawnNode(
  args: string[],
  { env, stdio }: { env?: NodeJS.ProcessEnv; stdio: StdioOptions },
): ChildProcess {
  return spawn(process.execPath, [...memoryFlags, `--import=${attend}`, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio,
  });
}
