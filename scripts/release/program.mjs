import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { run } from '../child.mjs';
import { checksumError } from '../node-checksum.mjs';
import { fail, hostEnv, pinnedNode, root } from '../project.mjs';

const shipped = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'README.en.md',
  'contract',
  'deploy',
  ':(glob)docs/*',
  'docs/guide',
  'server',
  'stena',
];
/** Files that are not shipped, because only development needs them. */
const onlyForDevelopment = /\.test\.ts$|^dev-build\.ts$/;

/** Exports the commit and builds the web app from it; returns the folder. */
export async function exportProgram({ work, version, commit }) {
  const folder = join(work, 'source');
  mkdirSync(folder);
  const archive = execFileSync('git', ['archive', commit, ...shipped], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (onlyForDevelopment.test(entry.name))
      rmSync(join(entry.parentPath, entry.name), { recursive: true, force: true });
  }
  // The commit equals the working tree, so the web app is built where its packages are.
  const env = { ...process.env, NODE_ENV: 'production' };
  const status = await run(pinnedNode, ['scripts/vite-build.mjs', join(folder, 'dist')], { env });
  if (status !== 0) fail('The web app could not be built.');
  const { name, license, type, imports, dependencies } = readJson(join(root, 'package.json'));
  const own = { name, version, private: true, license, type, imports, dependencies };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, undefined, 2)}\n`);
  return folder;
}

/** The whole program for a platform; returns its folder. */
export function buildPlatform({ work, version }, { name, cpu }, source, base) {
  const folder = join(work, name, `stena-${version}`);
  cpSync(source, folder, { recursive: true });
  installPackages(folder, cpu);
  mkdirSync(join(folder, 'lib'));
  copyFileSync(realpathSync(join(base.libraries, 'libatomic.so.1')), join(folder, 'lib/libatomic.so.1'));
  return folder;
}

/** Installs the packages for the given processor, exactly as package-lock.json lists them. */
function installPackages(folder, cpu) {
  const own = readFileSync(join(folder, 'package.json'));
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(root, file), join(folder, file));
  const args = [
    'ci',
    '--omit=dev',
    '--os=linux',
    `--cpu=${cpu}`,
    '--libc=glibc',
    '--ignore-scripts',
    '--loglevel=error',
  ];
  execFileSync('npm', args, { cwd: folder, env: hostEnv, stdio: ['ignore', 'ignore', 'inherit'] });
  for (const file of ['package-lock.json', '.npmrc']) rmSync(join(folder, file));
  writeFileSync(join(folder, 'package.json'), own);
  const packages = join(folder, 'node_modules');
  const node = nodeOf(folder);
  const error = checksumError(join(packages, node, 'bin/node'), packages);
  if (error) fail(error);
  for (const name of ['CHANGELOG.md', 'README.md', 'include', 'share']) {
    rmSync(join(packages, node, name), { recursive: true });
  }
  for (const entry of readdirSync(packages, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && /\.(map|d\.[cm]?ts)$/.test(entry.name)) rmSync(join(entry.parentPath, entry.name));
  }
}

/** The name of the package that contains the Node of a program. */
export function nodeOf(folder) {
  const names = readdirSync(join(folder, 'node_modules')).filter((name) => /^node-(bin-)?linux-/.test(name));
  return names.length === 1 ? names[0] : fail(`${folder} must have one Node, not ${names.length}.`);
}

export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}
