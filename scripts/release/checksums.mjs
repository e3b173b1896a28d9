import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/** Writes SHA256SUMS for the files of a folder, in the format of `sha256sum -c`; returns its path. */
export function writeChecksums(folder) {
  const lines = readdirSync(folder)
    .toSorted()
    .map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`);
  const file = join(folder, 'SHA256SUMS');
  writeFileSync(file, lines.join(''));
  return file;
}
