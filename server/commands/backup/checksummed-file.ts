import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, lstat, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { makeWithParents } from '../../data-folder.ts';
import { CommandError, toLine } from '../admin/terminal.ts';
import { damaged, notCopied, writeFailure, unreadable } from './backup-errors.ts';

/**
 * Writes a file that only its owner can read, under a temporary name until it is complete and synced; returns its size
 * in bytes. Never replaces an existing file.
 */
async function writeNewFile(
  file: string,
  fill: (draft: string) => Promise<void>,
  explained = writeFailure,
): Promise<number> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await refuseTaken(file);
    await writeFile(draft, '', { mode: 0o600, flag: 'wx' });
    await fill(draft);
    await makeDurable(draft);
    // Unlike `rename`, `link` fails when the name is taken.
    await link(draft, file);
    await makeDurable(dirname(file));
    return (await stat(file)).size;
  } catch (error) {
    throw await asCommandError(error, file, explained);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Called before copying, so that a taken name is reported at once. */
async function refuseTaken(file: string): Promise<void> {
  const existing = await lstat(file).catch(() => undefined);
  if (existing) throw taken(file);
}

const taken = (file: string): CommandError =>
  new CommandError(`Такой файл уже есть: ${toLine(file)}. Выберите другое имя.`);

async function asCommandError(error: unknown, file: string, explained: typeof writeFailure): Promise<unknown> {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return error.code === 'EEXIST' ? taken(file) : explained(error);
}

/** Syncs a file, or the entries of a folder, to the disk. */
export async function makeDurable(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The checksum file of a copy, in the format of `sha256sum -c`. */
export const checksumFile = (file: string): string => `${file}.sha256`;

/** Writes a copy and its checksum, both or neither; returns the size of the copy. */
export async function writeChecksummed(file: string, fill: (draft: string) => Promise<void>): Promise<number> {
  let checksum: string | undefined;
  await makeWithParents(dirname(file)).catch(async (error: Error) => {
    throw await writeFailure(error);
  });
  try {
    return await writeNewFile(file, async (draft) => {
      await fill(draft);
      const sum = `${await sha256Of(draft)}  ${basename(file)}\n`;
      await writeNewFile(checksumFile(file), (sums) => writeFile(sums, sum));
      checksum = checksumFile(file);
    });
  } catch (error) {
    if (checksum) await rm(checksum, { force: true });
    throw error;
  }
}

/**
 * Copies a copy and its checksum to another folder, both or neither, and reads the result again. Does not make the folder: if a
 * disk is not mounted there, the files would be written to the disk of the wall.
 */
export async function copyChecksummed(file: string, folder: string): Promise<void> {
  const second = join(folder, basename(file));
  await writeNewFile(checksumFile(second), (draft) => copyFile(checksumFile(file), draft), notCopied);
  try {
    await writeNewFile(second, (draft) => copyFile(file, draft), notCopied);
  } catch (error) {
    await rm(checksumFile(second), { force: true });
    throw error;
  }
  await refuseOtherChecksum(second);
}

/** Refuses a copy whose checksum differs; returns false when the copy has no checksum file. */
export async function refuseOtherChecksum(file: string): Promise<boolean> {
  const expected = await readFile(checksumFile(file), 'utf8').catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw await unreadable(error);
  });
  if (expected === undefined) return false;
  const found = await sha256Of(file).catch(async (error: Error) => {
    throw await unreadable(error);
  });
  if (!expected.startsWith(found)) throw damaged(file, 'контрольная сумма SHA-256 не сходится');
  return true;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
