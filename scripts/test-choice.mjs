import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { changedFiles, reachedFiles } from './import-graph.mjs';
import { root } from './project.mjs';

/** The files of test/e2e in which people use the wall from end to end. Their tests with the tag @nightly run with `test:all` only. */
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

/** Slow tests that rarely fail. `npm test` runs only their quick cases, `npm run test:all` all of them. */
const slow = [
  'scripts/release/',
  'scripts/start.test.ts',
  'scripts/test-parts.test.ts',
  'server/commands/backup/',
  'server/db/sqlite/disk.test.ts',
  'server/features/posts/processes.test.ts',
  'server/features/sign-in/processes.test.ts',
  'server/http/replicas.test.ts',
  'server/main.test.ts',
  'server/ops/metrics/alerts.test.ts',
  'test/faults/',
].map((start) => normalize(start));

/** One quick test of some slow files, by its title. */
const quickCases = {
  'scripts/start.test.ts': 'stops the server when only npm gets SIGTERM',
  'scripts/test-parts.test.ts': 'a unit test that fails is named with its cause, and its file as soon as it ends',
  'server/commands/backup/round-trip.test.ts': 'restores a backup made during writes, complete and consistent',
  'server/db/sqlite/disk.test.ts': 'acknowledges only commits made before the sync began',
  'server/features/posts/processes.test.ts': 'two processes on one PostgreSQL count and show what they write together',
  'server/http/replicas.test.ts': 'are made from standbys, not from the primary',
  'server/main.test.ts': 'stops on SIGINT despite idle connections',
};
/** The files with a quick case, and the options of node:test that choose it. */
export const quickFiles = Object.keys(quickCases).map((file) => normalize(file));
export const quickOptions = Object.values(quickCases).map((title) => `--test-name-pattern=${title}`);

export const specification = join('test', 'spec', 'main.ts');
export const walk = join('test', 'e2e', 'browsers', 'main.ts');

/** The folders whose tests use the storage. */
const storage = /^server.(db(?!.sqlite)|live|search|limits|mail|ops.jobs|features.(posts|threads|lists|following))\b/;

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
  if (argument === undefined) return [specification, ...tests.filter(isOrdinary), walk];
  if (argument === 'spec') return [specification];
  if (argument === 'walk') return [walk];
  if (argument === 'storage') return tests.filter((file) => storage.test(file) && opensPostgres(file));
  return tests.filter((file) => file.includes(argument));
}

/** Whether `npm test` runs all tests of a file: of browser tests only the journeys, of the others all but the slow ones. */
function isOrdinary(file) {
  return file.endsWith('.spec.ts') ? journeys.includes(file) : !slow.some((start) => file.startsWith(start));
}

const opensPostgres = (file) => /\bengines\b|'postgres'/.test(readFileSync(join(root, file), 'utf8'));
