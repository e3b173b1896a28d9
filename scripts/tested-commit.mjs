import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

/** Notes that all tests have passed for the commit. Does nothing with uncommitted changes, which were tested too. */
export function noteTested(folder = root) {
  if (headOf(folder)) writeFileSync(noteIn(folder), headOf(folder));
}

export function isTested(folder = root) {
  const head = headOf(folder);
  return head !== undefined && existsSync(noteIn(folder)) && readFileSync(noteIn(folder), 'utf8') === head;
}

/** The commit; undefined with uncommitted changes, and for sources without a repository. */
function headOf(folder) {
  if (!existsSync(join(folder, '.git')) || git(folder, 'status', '--porcelain') !== '') return undefined;
  return git(folder, 'rev-parse', 'HEAD');
}

/** The note is in the .git folder, so that it is not part of the checkout. */
const noteIn = (folder) => join(git(folder, 'rev-parse', '--absolute-git-dir'), 'tested-commit');

function git(folder, ...args) {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim();
}
