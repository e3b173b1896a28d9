import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './project.mjs';

const specifiers = /\b(?:from|import)\s*\(?\s*['"]([.#][^'"]+)['"]/g;

/** Files that a file uses without importing them. */
const further = [
  // The browser's code, as it is built.
  [/^test\/e2e\/support\/wall\.ts$|^test\/spec\/wall\.ts$/, ['web/app/main.tsx', 'web/app/entry-server.tsx']],
  [/^server\/pages\/.*\.test\.ts$/, ['web/app/entry-server.tsx']],
  [
    /^test\/kit\/(server-process|command-process|local-server)\.ts$/,
    ['server/main.ts', 'server/commands/admin/main.ts'],
  ],
];

/** A change of these files concerns every test. */
const everywhere =
  /^(package(-lock)?\.json|tsconfig\.json|vite\.config\.ts|playwright\.config\.ts|server\/db\/migrations\/.*)$/;

/** The given test files that depend on one of the changed files. */
export function reachedFiles(tests, changed) {
  if (changed.some((file) => everywhere.test(file))) return new Set(tests);
  const known = new Map();
  return new Set(tests.filter((test) => changed.some((file) => reachOf(test, known).has(file))));
}

/** The files changed since a commit, by default the last one. */
export function changedFiles(since = 'HEAD') {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')];
}

const imports = new Map();
const reaches = new Map();

/** The files through which an import of `target` leads back to `file`; undefined if it does not. Includes types and `import()`. */
export function wayBack(file, target) {
  if (!reaches.has(target)) reaches.set(target, reachOf(target, imports));
  const importers = reaches.get(target);
  if (!importers.has(file)) return undefined;
  const way = [];
  for (let each = file; each !== undefined; each = importers.get(each)) way.unshift(each);
  return way;
}

/** A file and all files on which it depends, each with a file that imports it. */
function reachOf(file, known) {
  const reach = new Map([[file, undefined]]);
  for (const [each] of reach) {
    if (!known.has(each)) known.set(each, importsOf(each));
    for (const next of known.get(each)) if (!reach.has(next)) reach.set(next, each);
  }
  return reach;
}

function importsOf(file) {
  const path = join(root, file);
  if (!/\.(ts|tsx|mjs)$/.test(file) || !existsSync(path) || !statSync(path).isFile()) return [];
  const found = [...readFileSync(path, 'utf8').matchAll(specifiers)].map(([, name]) =>
    name.startsWith('#') ? name.slice(1) : normalize(join(dirname(file), name)),
  );
  return [...found, ...further.flatMap(([pattern, files]) => (pattern.test(file) ? files : []))];
}
