import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { changedFiles, reachedFiles } from './import-graph.mjs';
import { root } from './project.mjs';

/** The files of test/e2e in which people use the wall from end to end. */
const journeys = [
  'deleting',
  'hydration',
  'live-new-posts',
  'navigation',
  'notifications',
  'post-acts',
  'publishing',
  'search',
  'sign-in-sessions',
  'thread',
].map((name) => join('test', 'e2e', `${name}.spec.ts`));
const faults = join('test', 'faults', sep);

export const specification = join('test', 'spec', 'main.ts');
export const walk = join('test', 'e2e', 'browsers', 'main.ts');

/** The folders whose tests use the storage. */
const storage = /^server.(db(?!.sqlite)|live|search|limits|mail|ops.jobs|features.posts)\b/;

/** The chosen programs and test files. */
export function chooseTests({ all, changed, argument }) {
  const folders = ['client', 'contract', 'demo', 'scripts', 'server', 'test', 'web'];
  const tests = folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => /\.(test|spec)\.ts$/.test(file))
    .toSorted();
  if (all) return [specification, ...tests, walk];
  if (changed) {
    const reached = reachedFiles([specification, ...tests], changedFiles(argument));
    console.log(`Left out: ${tests.length + 1 - reached.size} files that the changes do not reach.`);
    return [...reached];
  }
  if (argument === undefined) return [specification, ...tests.filter(isOrdinary)];
  if (argument === 'spec') return [specification];
  if (argument === 'walk') return [walk];
  if (argument === 'storage') return tests.filter((file) => storage.test(file) && opensPostgres(file));
  return tests.filter((file) => file.includes(argument));
}

/** The files that `npm test` runs: no faults, and in a browser the journeys alone. */
function isOrdinary(file) {
  return file.endsWith('.spec.ts') ? journeys.includes(file) : !file.startsWith(faults);
}

const opensPostgres = (file) => /\bengines\b|'postgres'/.test(readFileSync(join(root, file), 'utf8'));
