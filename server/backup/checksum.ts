import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { writeNewFile } from './new-file.ts';
import { damaged, unreadable } from './refusals.ts';

/** Beside each copy, in the form that `sha256sum -c` reads. */
export const checksumFile = (file: string): string => `${file}.sha256`;

/** Writes a copy and its checksum; neither is left without the other. Returns the size of the copy. */
export async function writeChecksummed(file: string, fill: (draft: string) => Promise<void>): Promise<number> {
  let checksum: string | undefined;
  try {
    return await writeNewFile(file, async (draft) => {
      await fill(draft);
      const line = `${await sha256Of(draft)}  ${basename(file)}\n`;
      await writeNewFile(checksumFile(file), (sums) => writeFile(sums, line));
      checksum = checksumFile(file);
    });
  } catch (error) {
    if (checksum) await rm(checksum, { force: true });
    throw error;
  }
}

/** False when the copy has no checksum: it was made by an older version, or moved without it. */
export async function refuseOtherChecksum(file: string): Promise<boolean> {
  const expected = await readFile(checksumFile(file), 'utf8').catch(() => undefined);
  if (expected === undefined) return false;
  const found = await sha256Of(file).catch((error: Error) => {
    throw unreadable(error);
  });
  if (!expected.startsWith(found)) throw damaged(file, 'контрольная сумма SHA-256 не сходится');
  return true;
}

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
