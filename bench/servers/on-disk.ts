import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './spawn-node.ts';

/** A new folder on the project's own disk: the system's may be memory, where waiting for the disk costs nothing. */
export async function onDisk(): Promise<string> {
  const shelf = join(root, 'node_modules/.cache');
  await mkdir(shelf, { recursive: true });
  return mkdtemp(join(shelf, 'stena-bench-'));
}
