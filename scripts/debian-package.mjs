import { execFileSync } from 'node:child_process';
import { run } from './child.mjs';

/** Installs packages where that is how it is done and we may; elsewhere, and in production, nothing happens. */
export async function installDebianPackages(...names) {
  if (process.env.NODE_ENV === 'production' || process.getuid?.() !== 0 || !runs('apt-get')) return;
  console.error(`Installing ${names.join(', ')} with apt-get…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update', '-q'], { env });
  await run('apt-get', ['install', '-q', '-y', '--no-install-recommends', ...names], { env });
}

/** Being there is not enough: Ubuntu's `chromium-browser` may only tell where to get one, and a library may be missing. */
export function runs(command) {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore', timeout: 20_000 });
    return true;
  } catch {
    return false;
  }
}
