import { join } from 'node:path';
import { start } from './child.mjs';
import { pinnedNode, root } from './project.mjs';

const endWithParent = new URL('end-with-parent.mjs', import.meta.url);
endWithParent.search = String(process.pid);

const env = {
  // Caching compiled code saves a third of the processor time of a start.
  NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'),
  // All threads share one heap of the C library: memory freed in another heap would stay there (docs/decisions/0054).
  MALLOC_ARENA_MAX: '1',
  ...process.env,
};

const flags = [
  // V8's default is larger, which takes a quarter more memory and gains nothing for short responses.
  '--max-semi-space-size=8',
  // The garbage that may be on the heap, as a share of the live objects. V8's default grows with the memory of the machine.
  '--heap-growing-percent=50',
  // V8's default is 4 threads. While they mark live objects, they take the processor from the main thread, and requests wait.
  '--v8-pool-size=1',
];

/** Runs a TypeScript file with the pinned Node. The process ends with this one, even if this one is killed. */
export function startTypeScript(file, args = [], settings = {}) {
  return start(pinnedNode, [...flags, `--import=${endWithParent}`, file, ...args], {
    env: { ...env, ...settings },
  });
}
