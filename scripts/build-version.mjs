import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

/** Writes the version with the commit into a file beside the build of a checkout. A release has no such file. */
export function noteVersion(folder = root) {
  const file = join(folder, 'dist/version');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const commit = commitOf(folder, version);
  if (commit === undefined) rmSync(file, { force: true });
  else writeFileSync(file, `${version}+${commit}\n`);
}

/** The commit; undefined for the commit of a release, and for sources without a repository. */
function commitOf(folder, version) {
  if (!existsSync(join(folder, '.git'))) return undefined;
  const git = (...args) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    if (
      git('tag', '--points-at', 'HEAD')
        .split('\n')
        .some((tag) => tag === version || tag === `v${version}`)
    )
      return undefined;
    return git('rev-parse', '--short=8', 'HEAD');
  } catch {
    // There is no git, or the repository belongs to somebody else.
    return undefined;
  }
}
