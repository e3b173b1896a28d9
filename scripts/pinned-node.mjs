import { join } from 'node:path';
import { start } from './child.mjs';
import { pinnedNode, root } from './project.mjs';

const endWithParent = new URL('end-with-parent.mjs', import.meta.url);
endWithParent.search = String(process.pid);

/** Caching compiled code saves a third of the processor time of a start. */
const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env };

/** Bounds of the young and of the old generation of V8 (docs/decisions/0052). `test/kit/node-process.ts` passes them on. */
const memory = ['--max-semi-space-size=8', '--heap-growing-percent=50'];

/** Runs a TypeScript file with the pinned Node. The process ends with this one, even if this one is killed. */
export function startTypeScript(file, args = [], settings = {}) {
  return start(pinnedNode, [...memory, `--import=${endWithParent}`, file, ...args], {
    env: { ...env, ...settings },
  });
}
