import { start } from './child.mjs';
import { pinnedNode } from './project.mjs';

const endWithParent = new URL('end-with-parent.mjs', import.meta.url);
endWithParent.search = String(process.pid);

/** Starts a TypeScript file on the pinned Node. It ends with this process, even if that is killed. */
export function startTypeScript(file, args = []) {
  return start(pinnedNode, [`--import=${endWithParent}`, file, ...args]);
}
