import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child.mjs';
import { installDebianPackages, runs } from './debian-package.mjs';
import { withLock } from './lock.mjs';
import { checksumError } from './node-checksum.mjs';
import { fail, hostEnv, pinnedNode, root } from './project.mjs';

/**
 * Installs exactly the packages of package-lock.json, unless node_modules contains them. `production` omits packages
 * for development, which a build needs and a server with a finished build does not.
 */
export async function ensureInstalled({ production = false } = {}) {
  await ensurePackages(production);
  await ensureNodeRuns();
}

async function ensurePackages(production) {
  if (isInstalled(production)) return;
  await withLock(async () => {
    if (isInstalled(production)) return;
    console.error('Installing the packages that package-lock.json lists…');
    const kinds = production ? '--omit=dev' : '--include=dev';
    // Warnings are hidden because they concern the Node of the system. SIGKILL, because on SIGTERM npm would spend half
    // a minute on removing files that the next install deletes anyway.
    const status = await run('npm', ['ci', kinds, '--loglevel=error'], { env: hostEnv, endBy: 'SIGKILL' });
    if (status !== 0) fail('The packages could not be installed. See the output of npm above.');
    rejectUnlistedNode();
  });
}

/** Removes an unlisted binary, so that the next start installs and checks it again. */
function rejectUnlistedNode() {
  if (!existsSync(pinnedNode)) return;
  const error = checksumError(pinnedNode, join(root, 'node_modules'));
  if (error === undefined) return;
  rmSync(pinnedNode);
  fail(`${error} It was removed.`);
}

/** The Node from the packages needs libraries that a minimal Debian does not have. */
async function ensureNodeRuns() {
  if (runs(pinnedNode)) return;
  await installDebianPackages('libatomic1', 'libstdc++6');
  if (!runs(pinnedNode))
    fail(`Node 26 does not run here. On Debian or Ubuntu: apt-get install libatomic1 libstdc++6 (${pinnedNode})`);
}

/** npm writes the lockfile in node_modules at the end of an install, so an interrupted install leaves none. */
function isInstalled(production) {
  const [listed, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map(packagesIn);
  return existsSync(pinnedNode) && missingPackages(listed, installed, { production }).length === 0;
}

function packagesIn(lockfile) {
  const path = join(root, lockfile);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}

/** Paths of the packages in a lockfile that are not installed in the same version with the same integrity hash. */
export function missingPackages(listed, installed, { production }) {
  return Object.entries(listed)
    .filter(([path, { version, integrity, optional, dev }]) => {
      if (path === '') return false;
      const found = installed[path];
      if (found) return found.version !== version || found.integrity !== integrity;
      return !optional && !(production && dev);
    })
    .map(([path]) => path);
}
