import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** From large to small, so that no space is left. */
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
