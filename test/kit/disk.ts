import { type ChildProcess, execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

const megabyte = 1024 * 1024;

/** A file system in an image file. The image contains only what has been synced to it. */
export interface Disk extends AsyncDisposable {
  path: string;
  /** Returns the disk as the next start would find it if the power failed now. */
  afterPowerCut(): Promise<Disk>;
}

/** Makes a disk. Needs root and a kernel that can mount. */
export function newDisk(megabytes = 256): Promise<Disk> {
  return mountedFrom((image) => makeFileSystem(image, megabytes));
}

/** The reason why file systems cannot be mounted here; undefined if they can. */
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

async function makeFileSystem(image: string, megabytes: number): Promise<void> {
  await writeFile(image, '');
  await truncate(image, megabytes * megabyte);
  await run('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image]);
}

/** Keeps the kernel from writing back by itself while an image is copied. */
function mountImage(image: string, path: string): Promise<unknown> {
  return run('mount', ['-o', 'loop,commit=300', image, path]);
}

/** The sizes decrease, so that the disk is filled to the last block. */
const blocks = [1024 * 1024, 64 * 1024, 4 * 1024].map((bytes) => Buffer.alloc(bytes, 1));

/** Fills a disk completely; the returned function frees the space. */
export async function fillDisk(folder: string): Promise<() => Promise<void>> {
  const path = join(folder, 'filler');
  const file = await open(path, 'w');
  try {
    for (const block of blocks) while (await fits(file.write(block), block.length));
    await file.sync();
  } finally {
    await file.close();
  }
  return () => rm(path);
}

async function fits(writing: Promise<{ bytesWritten: number }>, bytes: number): Promise<boolean> {
  try {
    return (await writing).bytesWritten === bytes;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false;
    throw error;
  }
}

const megabytes = 200;
/** The space of a failing disk at first, in megabytes: enough for the file system itself and some data. */
const initialMegabytes = 48;
const repairedMegabytes = 2 * megabytes;

/** A disk that claims more space than it has: after `fail` it stores nothing new, and sync reports an error. */
export interface FailingDisk extends AsyncDisposable {
  path: string;
  fail(): Promise<void>;
  /** Repairs the disk, which then contains everything that was synced. No process may be using it. */
  mend(): Promise<void>;
}

/** Makes a failing disk: its image is in a tmpfs that is too small for it. */
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

/** Stops a process at an arbitrary moment; resolves when all its threads are stopped. */
export async function freeze(child: ChildProcess): Promise<void> {
  child.kill('SIGSTOP');
  while (!isFrozen(child)) await sleep(1);
}

export function resume(child: ChildProcess): void {
  child.kill('SIGCONT');
}

/** Whether all threads are stopped. A thread in an uninterruptible disk wait stops only after the wait. */
function isFrozen({ pid }: ChildProcess): boolean {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).every((task) => /\) T /.test(readFileSync(`${tasks}/${task}/stat`, 'utf8')));
}
