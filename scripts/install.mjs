import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child.mjs';
import { installDebianPackages, runs } from './debian-package.mjs';
import { withLock } from './lock.mjs';
import { fail, hostEnv, pinnedNode, root } from './project.mjs';

/** Installs exactly what package-lock.json lists, unless that is what node_modules holds. */
export async function ensureInstalled() {
  await ensurePackages();
  await ensureNodeRuns();
}

async function ensurePackages() {
  if (isInstalled()) return;
  await withLock(async () => {
    if (isInstalled()) return;
    console.error('Installing the packages that package-lock.json lists…');
    // Development packages too, whatever NODE_ENV says: the build needs them. No warnings: they are about the host's Node.
    // Told to end, npm would take half a minute to undo what the next install deletes first anyway.
    const status = await run('npm', ['ci', '--include=dev', '--loglevel=error'], { env: hostEnv, endBy: 'SIGKILL' });
    if (status !== 0) fail('The packages could not be installed: see what npm says above.');
  });
}

/** The Node that comes with the packages wants a library which a bare Debian has not got. */
async function ensureNodeRuns() {
  if (runs(pinnedNode)) return;
  await installDebianPackages('libatomic1');
  if (!runs(pinnedNode))
    fail(`Node 26 does not run here. On Debian or Ubuntu: apt-get install libatomic1 (${pinnedNode})`);
}

/** npm keeps what it installed in a lockfile of its own, written last: an install cut short leaves none. */
function isInstalled() {
  const listed = packagesIn('package-lock.json');
  const installed = packagesIn('node_modules/.package-lock.json');
  return (
    existsSync(pinnedNode) &&
    Object.entries(listed).every(([path, { version, integrity, optional }]) => {
      if (path === '') return true;
      const found = installed[path];
      return found ? found.version === version && found.integrity === integrity : optional;
    })
  );
}

function packagesIn(lockfile) {
  const path = join(root, lockfile);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : {};
}
