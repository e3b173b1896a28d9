import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** Resources that a process has used so far. */
export interface Usage {
  cpuMicroseconds: number;
  /** Current resident set size. */
  memoryBytes: number;
}

/** `npm start` passes these options to the server too. */
const flags = process.execArgv.filter((flag) =>
  /^--(max-semi-space-size|heap-growing-percent|v8-pool-size)=/.test(flag),
);
const { PATH, MALLOC_ARENA_MAX } = process.env;

const attached = new URL('attached.ts', import.meta.url).href;

/** The folder of the cache of compiled code, which saves a third of the processor time of a start. */
const NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/node');

interface Spawning {
  env: NodeJS.ProcessEnv;
  errors?: 'inherit' | 'pipe';
  /** A command to which the Node command is appended and which replaces itself with that. */
  under?: readonly string[];
}

/** Starts a file of the project on this Node with only `env` as its environment. The process ends with this one. */
export function spawnNode(args: readonly string[], { env, errors = 'inherit', under = [] }: Spawning): ChildProcess {
  const [program, ...rest] = [...under, process.execPath, ...flags, `--import=${attached}`, ...args];
  return spawn(program!, rest, {
    cwd: root,
    env: { PATH, MALLOC_ARENA_MAX, NODE_COMPILE_CACHE, ...env },
    stdio: ['pipe', 'pipe', errors, 'ipc'],
  });
}
