import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { runBrowserTests } from './browser-tests.mjs';
import { ensureChromium } from './chromium.mjs';
import { installDebianPackages, isInstalled } from './debian-package.mjs';
import { ensureFaultPrograms } from './fault-programs.mjs';
import { ensureInstalled } from './install.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { fail, root } from './project.mjs';
import { runStorageSuite } from './storage-suite.mjs';
import { runUnitTests } from './unit-tests.mjs';
import { runWalk } from './walk.mjs';
import { ensureBuilt } from './web-build.mjs';

const walks = process.argv.includes('--walk');
const [filter] = process.argv.slice(2).filter((arg) => arg !== '--walk');

if (filter === 'storage') {
  await ensureInstalled();
  await ensureBuilt();
  process.exit(await runStorageSuite());
}

const unitTests = filesUnder(['client', 'contract', 'demo', 'scripts', 'server', 'test', 'web'], '.test.ts');
const browserTests = filesUnder(['test/e2e'], '.spec.ts');
const complete = unitTests.length > 0 && browserTests.length > 0;
if (!filter && !complete) fail('The unit tests or the browser tests are missing.');
if (unitTests.length + browserTests.length === 0) fail(`No test file has “${filter}” in its path.`);

if (filter?.includes('gallery')) process.env.PICTURES = 'all';

await ensureInstalled();
const chromium = browserTests.length > 0 && (await ensureChromium());
await ensureBuilt();
const needsPrograms = (file) => file.startsWith(join('test', 'faults')) || file.includes('alerts');
if (unitTests.some(needsPrograms)) await ensureFaultPrograms();
// A test runs the commands of the page about the API.
if (unitTests.some((file) => file.includes('api-page')) && !isInstalled('curl')) await installDebianPackages('curl');

// Many tests start processes: compiled code is cached for them too.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node');

process.env.TMPDIR ??= memoryFolder();
const reports = mkdtempSync(join(tmpdir(), 'stena-test-'));
const running = [];
// The unit tests mostly wait for clocks and other processes, so they hardly delay concurrent browser tests. Two parts of
// them at once would: figures of time would then depend on the load.
const ofTest = unitTests.filter((file) => file.startsWith(join('test', sep)));
const others = unitTests.filter((file) => !ofTest.includes(file));
const parts = [others, ofTest].filter(({ length }) => length > 0);
const isAlone = !chromium && parts.length === 1;
running.push(runInTurn(parts));
if (chromium) running.push(runBrowserTests(browserTests, chromium, join(reports, 'browser.json')));
const results = (await Promise.all(running)).flat();
if (walks) results.push(await runWalk(join(reports, 'walk.json')));
rmSync(reports, { recursive: true });

for (const note of results.flatMap(({ notes }) => notes)) console.log(`\n${note}`);
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 ? 0 : 1;

/** Runs parts of the unit tests one after another: faults have a network of their own. */
async function runInTurn(lists) {
  const verdicts = [];
  for (const files of lists) {
    const name = join(reports, `unit-${unitTests.indexOf(files[0])}`);
    verdicts.push(await runUnitTests(files, `${name}.json`, isAlone ? undefined : `${name}.txt`));
  }
  return verdicts;
}

function filesUnder(folders, ending) {
  return folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => file.endsWith(ending) && file.includes(filter ?? ''))
    .toSorted();
}
