import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child.mjs';
import { installDebianPackages, runs } from './debian-package.mjs';
import { withLock } from './lock.mjs';
import { missingPackages } from './missing-packages.mjs';
import { faultOfNode } from './node-checksum.mjs';
import { fail, hostEnv, pinnedNode, root } from './project.mjs';

/**
 * Installs exactly what package-lock.json lists, unless that is what node_modules holds. In production packages for
 * development are left out: to build takes them, to serve what was built does not.
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
    // No warnings: they are about the host's Node. Told to end, npm would take half a minute to undo what the next install
    // deletes first anyway.
    const status = await run('npm', ['ci', kinds, '--loglevel=error'], { env: hostEnv, endBy: 'SIGKILL' });
    if (status !== 0) fail('The packages could not be installed: see what npm says above.');
    refuseOtherNode();
  });
}

/** Removed, it is installed and looked at again by the next start. */
function refuseOtherNode() {
  if (!existsSync(pinnedNode)) return;
  const fault = faultOfNode(pinnedNode, join(root, 'node_modules'));
  if (fault === undefined) return;
  rmSync(pinnedNode);
  fail(fault);
}

/** The Node that comes with the packages wants a library which a bare Debian has not got. */
async function ensureNodeRuns() {
  if (runs(pinnedNode)) return;
  await installDebianPackages('libatomic1');
  if (!runs(pinnedNode))
    fail(`Node 26 does not run here. On Debian or Ubuntu: apt-get install libatomic1 (${pinnedNode})`);
}

/** npm keeps what it installed in a lockfile of its own, written last: an install cut short leaves none. */
function isInstalled(production) {
  const [listed, installed] = ['package-lock.json', 'node_modules/.package-lock.json'].map(packagesIn);
  return existsSync(pinnedNode) && missingPackages(listed, installed, { production }).length === 0;
}

function packagesIn(lockfile) {
  const path = join(root, lockfile);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}
