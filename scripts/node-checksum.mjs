import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** What is wrong with an installed Node by the checksums kept here, in the form that `sha256sum -c` reads; or nothing. */
export function faultOfNode(node, packages, checksums = new URL('node.sha256', import.meta.url)) {
  const name = relative(packages, node).split(sep).join('/');
  const found = createHash('sha256').update(readFileSync(node)).digest('hex');
  const lines = readFileSync(checksums, 'utf8').split('\n');
  if (lines.includes(`${found}  ${name}`)) return undefined;
  return `The Node that came with the packages (${name}) is not the one in scripts/node.sha256: its SHA-256 is ${found}. It was removed.`;
}
