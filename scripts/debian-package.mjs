import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './child.mjs';

/** Installs Debian packages if this process is root and apt-get exists. Does nothing in production. */
export async function installDebianPackages(...names) {
  if (process.env.NODE_ENV === 'production' || process.getuid?.() !== 0 || !runs('apt-get')) return;
  console.error(`Installing ${names.join(', ')} with apt-get…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // The unattended upgrades of a machine hold the lock for some minutes.
  const wait = ['-o', 'DPkg::Lock::Timeout=600'];
  await run('apt-get', [...wait, 'update', '-q'], { env });
  await run('apt-get', [...wait, 'install', '-q', '-y', '--no-install-recommends', ...names], { env });
}

/** An existing file is not enough: a library may be missing, and Ubuntu's `chromium-browser` may be a placeholder. */
export function runs(command) {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}

/** Whether the package lists of the system contain a package. */
export function isListed(name) {
  try {
    return execFileSync('apt-cache', ['pkgnames', name], { encoding: 'utf8' }).split('\n').includes(name);
  } catch {
    return false;
  }
}

/** Whether a program exists, by its name or its path. */
export function isInstalled(program) {
  if (program.startsWith('/')) return existsSync(program);
  return [...process.env.PATH.split(delimiter), '/usr/sbin'].some((folder) => existsSync(join(folder, program)));
}
