import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { changedFiles, reachedFiles } from './import-graph.mjs';
import { fail, root } from './project.mjs';

/** The files of test/e2e in which people use the wall from end to end. */
const journeys = [
  'back',
  'deleting',
  'hydration',
  'liking',
  'live-new-posts',
  'navigation',
  'notifications',
  'publishing',
  'reporting',
  'scrolling',
  'search',
  'settings',
  'sign-in-sessions',
  'thread',
  'thread-live',
  'without-javascript',
].map((name) => join('test', 'e2e', `${name}.spec.ts`));
const faults = join('test', 'faults', sep);

/** The test files of a run, and with `changed` those that it leaves out. */
export function chooseTests({ all, changed, argument }) {
  const unitTests = filesUnder(['client', 'contract', 'demo', 'scripts', 'server', 'test', 'web'], '.test.ts');
  const browserTests = filesUnder(['test/e2e'], '.spec.ts');
  if (unitTests.length === 0 || browserTests.length === 0) fail('The unit tests or the browser tests are missing.');
  if (all) return { unitTests, browserTests, leftOut: [] };
  if (changed) {
    const reached = reachedFiles([...unitTests, ...browserTests], changedFiles(argument));
    const isReached = (file) => reached.has(file);
    return {
      unitTests: unitTests.filter(isReached),
      browserTests: browserTests.filter(isReached),
      leftOut: [...unitTests, ...browserTests].filter((file) => !reached.has(file)),
    };
  }
  const fits = argument === undefined ? isOrdinary : (file) => file.includes(argument);
  return { unitTests: unitTests.filter(fits), browserTests: browserTests.filter(fits), leftOut: [] };
}

/** The files that `npm test` runs: no faults, and in a browser the journeys alone. */
function isOrdinary(file) {
  return file.endsWith('.spec.ts') ? journeys.includes(file) : !file.startsWith(faults);
}

function filesUnder(folders, ending) {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => file.endsWith(ending))
    .toSorted();
}
