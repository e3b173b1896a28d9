import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);

const megabyte = 1024 * 1024;

/** A file system in an image file. The image contains only what has been synced to it. */
export interface Disk extends AsyncDisposable {
  path: string;
  /** The disk as the next start would find it after a power failure now. */
  afterPowerCut(): Promise<Disk>;
}

/** Needs root and a kernel that can mount. */
export function newDisk(megabytes = 256): Promise<Disk> {
  return mountedFrom((image) => makeFileSystem(image, megabytes));
}

/** Why file systems cannot be mounted here, if they cannot. */
export async function cannotMount(): Promise<string | undefined> {
  try {
    await (await newDisk(16))[Symbol.asyncDispose]();
    return undefined;
  } catch (error) {
    const [why] = (error as Error).message.split('\n');
    return `disks need root and loop mounts (${why})`;
  }
}

async function mountedFrom(make: (image: string) => Promise<unknown>): Promise<Disk> {
  const folder = await mkdtemp(join(tmpdir(), 'stena-disk-'));
  const image = join(folder, 'image');
  const path = join(folder, 'mounted');
  try {
    await make(image);
    await mkdir(path);
    await mountImage(image, path);
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  return {
    path,
    afterPowerCut: () => mountedFrom((copy) => run('cp', ['--sparse=always', image, copy])),
    async [Symbol.asyncDispose]() {
      await run('umount', [path]);
      await rm(folder, { recursive: true });
    },
  };
}

export async function makeFileSystem(image: string, megabytes: number): Promise<void> {
  await writeFile(image, '');
  await truncate(image, megabytes * megabyte);
  await run('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image]);
}

/** Keeps the kernel from writing back by itself while an image is copied. */
export function mountImage(image: string, path: string): Promise<unknown> {
  return run('mount', ['-o', 'loop,commit=300', image, path]);
}
