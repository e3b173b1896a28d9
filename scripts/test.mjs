import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { runBrowserTests } from './browser-tests.mjs';
import { ensureBrowsers } from './browsers.mjs';
import { ensureChromium } from './chromium.mjs';
import { installDebianPackages, isInstalled } from './debian-package.mjs';
import { ensureFaultPrograms } from './fault-programs.mjs';
import { ensureInstalled } from './install.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { fail, root } from './project.mjs';
import { runStorageSuite } from './storage-suite.mjs';
import { chooseTests } from './test-choice.mjs';
import { printSummary } from './test-verdict.mjs';
import { runUnitTests } from './unit-tests.mjs';
import { runWalk } from './walk.mjs';
import { ensureBuilt } from './web-build.mjs';

// Without arguments: the unit tests and the journeys in the browser. `--all`: everything. `--changed`: what the changes since
// a commit can reach. Otherwise: the files with this text in their path.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, changed: { type: 'boolean', default: false } },
});
const [argument] = positionals;

if (argument === 'storage') {
  await ensureInstalled();
  await ensureBuilt();
  process.exit(await runStorageSuite());
}

const { unitTests, browserTests, leftOut } = chooseTests({ ...values, argument });
if (leftOut.length > 0) console.log(`Left out: ${leftOut.length} files that the changes do not reach.`);
if (unitTests.length + browserTests.length === 0) {
  if (!values.changed) fail(`No test file has “${argument}” in its path.`);
  process.exit(0);
}

if (argument?.includes('gallery')) process.env.PICTURES = 'all';

await ensureInstalled();
const chromium = browserTests.length > 0 && (await ensureChromium());
if (values.all) await ensureBrowsers();
await ensureBuilt();
const needsPrograms = (file) => file.startsWith(join('test', 'faults')) || file.includes('alerts');
if (unitTests.some(needsPrograms)) await ensureFaultPrograms();
// A test runs the commands of the page about the API; another signs.
for (const [test, program, name] of [
  ['api-page', 'curl', 'curl'],
  ['release.test', 'ssh-keygen', 'openssh-client'],
]) {
  if (unitTests.some((file) => file.includes(test)) && !isInstalled(program)) await installDebianPackages(name);
}

// Many tests start processes: compiled code is cached for them too.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node');

process.env.TMPDIR ??= memoryFolder();
const reports = mkdtempSync(join(tmpdir(), 'stena-test-'));
const isIn = (folder) => (file) => file.startsWith(join(folder, sep));
const ofServer = unitTests.filter(isIn('server'));
const elsewhere = unitTests.filter((file) => !isIn('server')(file) && !isIn('test')(file));
const ofServerInParts = [0, 1, 2, 3, 4, 5].map((part) =>
  units(
    `of the server, ${part + 1} of 6`,
    ofServer.filter((_, i) => i % 6 === part),
  ),
);
const walk = () => values.all && runWalk(join(reports, 'walk.json'));
const waiting = [
  units('in test/', unitTests.filter(isIn('test'))),
  units('of the web app and of scripts', elsewhere),
  walk,
  ...ofServerInParts,
];
// Three parts at a time leave two processors some time, two while all browser tests run. When nothing is left, everything takes
// two to three times the processor time.
const results = [];
const browsing = chromium ? runBrowserTests(browserTests, chromium, join(reports, 'browser.json')) : Promise.resolve();
const row = async () => {
  for (let part; (part = waiting.shift());) results.push(await part());
};
await Promise.all([browsing.then(row), values.all ? browsing.then(row) : row(), row()]);
rmSync(reports, { recursive: true });
process.exitCode = printSummary([await browsing, ...results].filter(Boolean)) === 0 ? 0 : 1;

function units(name, files) {
  const report = join(reports, `${name.replaceAll(/\W/g, '-')}.json`);
  return () => files.length > 0 && runUnitTests(`unit tests ${name}`, files, report);
}
