import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** A run needs a tenth of it. */
const bytesNeeded = 4 * 1024 ** 3;
const name = 'stena-test-';

/**
 * A folder for the temporary files of this process: in memory, where syncs cost nothing and a database of PostgreSQL is made in
 * half the processor time. Without such a file system it is the system's folder for temporary files.
 */
export function memoryFolder() {
  if (!isUsable()) return tmpdir();
  for (const left of readdirSync(memory).filter((file) => file.startsWith(name))) {
    // A run that was killed cannot remove its files.
    if (!existsSync(join('/proc', left.slice(name.length)))) remove(join(memory, left));
  }
  const folder = join(memory, name + process.pid);
  mkdirSync(folder);
  // PostgreSQL does not run as root, and needs the folder too.
  chmodSync(folder, 0o1777);
  process.on('exit', () => remove(folder));
  return folder;
}

/** Containers often have a small one that allows no programs. */
function isUsable() {
  if (!existsSync(memory) || !existsSync('/proc/mounts')) return false;
  const [, , type, flags = ''] =
    readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, mountedAt]) => mountedAt === memory) ?? [];
  const { bavail, bsize } = statfsSync(memory);
  return type === 'tmpfs' && !flags.split(',').includes('noexec') && bavail * bsize >= bytesNeeded;
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch {
    // A program that is still ending writes there. The next run removes the folder.
  }
}
