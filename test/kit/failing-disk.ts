import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFileSystem, mountImage, run } from './disk.ts';
import { fillDisk } from './fill-disk.ts';

const megabytes = 200;
/** Megabytes: enough for the file system itself and some data. */
const initialMegabytes = 48;
const repairedMegabytes = 2 * megabytes;

/** A disk that claims more space than it has: after `fail` it stores nothing new, and sync reports an error. */
export interface FailingDisk extends AsyncDisposable {
  path: string;
  fail(): Promise<void>;
  /** Repairs the disk: everything that was synced is on it. No process may be using it. */
  mend(): Promise<void>;
}

/** Its image is in a tmpfs that is too small for it. */
export async function newFailingDisk(): Promise<FailingDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'stena-disk-'));
  const [memory, path] = [join(folder, 'memory'), join(folder, 'mounted')];
  const image = join(memory, 'image');
  const undo = new AsyncDisposableStack();
  undo.defer(() => rm(folder, { recursive: true }));
  try {
    await mkdir(memory);
    await run('mount', ['-t', 'tmpfs', '-o', `size=${initialMegabytes}m`, 'stena', memory]);
    undo.defer(async () => void (await run('umount', [memory])));
    await makeFileSystem(image, megabytes);
    await mkdir(path);
    await mountImage(image, path);
    undo.defer(async () => void (await run('umount', [path])));
  } catch (error) {
    await undo.disposeAsync();
    throw error;
  }
  return {
    path,
    fail: async () => void (await fillDisk(memory)),
    async mend() {
      await run('umount', [path]);
      await run('mount', ['-o', `remount,size=${repairedMegabytes}m`, memory]);
      await repairFileSystem(image);
      await mountImage(image, path);
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  };
}

async function repairFileSystem(image: string): Promise<void> {
  try {
    await run('e2fsck', ['-f', '-y', image]);
  } catch (error) {
    // Exit status 1: errors were found and corrected.
    if ((error as { code?: number }).code !== 1) throw error;
  }
}
