import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** An error if the SHA-256 of an installed Node is not in the list, which has the format of `sha256sum -c`. */
export function checksumError(node, packages, checksums = new URL('node.sha256', import.meta.url)) {
  const name = relative(packages, node).split(sep).join('/');
  const found = createHash('sha256').update(readFileSync(node)).digest('hex');
  const lines = readFileSync(checksums, 'utf8').split('\n');
  if (lines.includes(`${found}  ${name}`)) return undefined;
  return `The Node from the packages (${name}) is not listed in scripts/node.sha256: its SHA-256 is ${found}.`;
}
