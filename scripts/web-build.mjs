import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteVersion } from './build-version.mjs';
import { run } from './child.mjs';
import { withLock } from './lock.mjs';
import { fail, pinnedNode, root } from './project.mjs';

const sources = [
  'client',
  'contract',
  'web',
  'package-lock.json',
  'scripts/vite-build.mjs',
  'tsconfig.json',
  'vite.config.ts',
];

const dist = join(root, 'dist');
const next = join(root, 'dist.next');
const previous = join(root, 'dist.previous');

/** The file that lists the assets of a build and the fingerprint of its sources. */
const recordName = 'web/.vite/build.json';

/** Builds the bundles for browser and server into dist/, unless they were built from the same sources. */
export async function ensureBuilt() {
  if (!isBuilt()) await build();
  // The version is noted even without a build, because the server may have changed while the web app has not.
  noteVersion();
}

async function build() {
  const fingerprint = fingerprintOf(sources);
  await withLock(async () => {
    if (readRecord()?.fingerprint === fingerprint) return;
    console.error('Building the web app…');
    rmSync(next, { recursive: true, force: true });
    const env = { ...process.env, NODE_ENV: 'production' };
    const status = await run(pinnedNode, ['scripts/vite-build.mjs', next], { env });
    if (status !== 0) fail('The web app could not be built.');
    const assets = readdirSync(join(next, 'web/assets'));
    copyAssetsInUse();
    writeFileSync(join(next, recordName), JSON.stringify({ fingerprint, assets }));
    swap();
  });
}

/** Copies the assets of the previous build, because a running server and loaded pages continue to request them. */
function copyAssetsInUse() {
  for (const name of readRecord()?.assets ?? []) {
    const path = join('web/assets', name);
    cpSync(join(dist, path), join(next, path), { force: false });
  }
}

function swap() {
  rmSync(previous, { recursive: true, force: true });
  if (existsSync(dist)) renameSync(dist, previous);
  renameSync(next, dist);
  rmSync(previous, { recursive: true, force: true });
}

export function isBuilt() {
  return readRecord()?.fingerprint === fingerprintOf(sources);
}

function readRecord() {
  const path = join(dist, recordName);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

function fingerprintOf(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesIn).filter((name) => !name.endsWith('.test.ts'))) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(path) {
  const full = join(root, path);
  if (statSync(full).isFile()) return [path];
  return readdirSync(full)
    .toSorted()
    .flatMap((name) => filesIn(join(path, name)));
}
