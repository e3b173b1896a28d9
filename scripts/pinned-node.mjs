import { join } from 'node:path';
import { start } from './child.mjs';
import { pinnedNode, root } from './project.mjs';

const endWithParent = new URL('end-with-parent.mjs', import.meta.url);
endWithParent.search = String(process.pid);

const env = {
  // Caching compiled code saves a third of the processor time of a start.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
  // One heap of the C library for all threads: freed memory of the others stays theirs (docs/decisions/0054).
  MALLOC_ARENA_MAX: '1',
  ...process.env,
};

const flags = [
  // V8's default is larger, which takes a quarter more memory and gains nothing for short responses.
  '--max-semi-space-size=8',
  // How much garbage may be on the heap, as a share of what is alive. V8 takes more the more memory the machine has.
  '--heap-growing-percent=50',
  // V8's default is 4. While they mark what is alive, they take the processor from the main thread: requests then wait.
  '--v8-pool-size=1',
];

/** Runs a TypeScript file with the pinned Node. The process ends with this one, even if this one is killed. */
export function startTypeScript(file, args = [], settings = {}) {
  return start(pinnedNode, [...flags, `--import=${endWithParent}`, file, ...args], {
    env: { ...env, ...settings },
  });
}
