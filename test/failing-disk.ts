import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFileSystem, mountImage, run } from './disk.ts';
import { fillDisk } from './fill-disk.ts';

const megabytes = 200;
/** Enough for the file system itself and some of what is written to it. */
const poorMegabytes = 48;
const richMegabytes = 2 * megabytes;

/** A disk that has promised more than it has: once `fail` was called it takes nothing new, and says so when it is synced. */
export interface FailingDisk {
  path: string;
  fail(): Promise<void>;
  /** With all that it ever said to be safe. Nobody may be using it. */
  mend(): Promise<void>;
  remove(): Promise<void>;
}

/** Its image lies in memory that is too small for it. */
export async function newFailingDisk(): Promise<FailingDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'stena-disk-'));
  const [memory, path] = [join(folder, 'memory'), join(folder, 'mounted')];
  const image = join(memory, 'image');
  const undo = new AsyncDisposableStack();
  undo.defer(() => rm(folder, { recursive: true }));
  try {
    await mkdir(memory);
    await run('mount', ['-t', 'tmpfs', '-o', `size=${poorMegabytes}m`, 'stena', memory]);
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
      await run('mount', ['-o', `remount,size=${richMegabytes}m`, memory]);
      await mendFileSystem(image);
      await mountImage(image, path);
    },
    remove: () => undo.disposeAsync(),
  };
}

async function mendFileSystem(image: string): Promise<void> {
  try {
    await run('e2fsck', ['-f', '-y', image]);
  } catch (error) {
    // 1: there was something to mend, and it is mended.
    if ((error as { code?: number }).code !== 1) throw error;
  }
}
