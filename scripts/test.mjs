import { join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBrowsers, ensureChromium } from './browsers.mjs';
import { installDebianPackages, isInstalled } from './debian-package.mjs';
import { ensureFaultPrograms } from './fault-programs.mjs';
import { ensureInstalled } from './install.mjs';
import { fail, root } from './project.mjs';
import { judge, printSummary } from './second-runs.mjs';
import { chooseTests, quickFiles, quickOptions, specification, walk } from './test-choice.mjs';
import { memoryFolder, runBrowserTests, runSpecification, runUnitTests, runWalk } from './test-parts.mjs';
import { watchRun } from './test-progress.mjs';
import { noteTested } from './tested-commit.mjs';
import { ensureBuilt } from './web-build.mjs';

// Without arguments: the tests for every change, which are the specification, the unit tests except slow ones, the journeys in the
// browser and the stories in Chromium. Other modes:
// - `--all`: all tests.
// - `--changed`: tests that depend on files changed since a commit.
// - `spec`, `walk`: only the specification, only the walk. `--only`: a regular expression for the steps of the walk.
// - `storage`: tests of the storage on PostgreSQL, at ENGINE_URL if it is set.
// - any other text: the test files with this text in their path.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const [argument] = positionals;

const chosen = chooseTests({ ...values, argument });
const [unitTests, browserTests] = ['.test.ts', '.spec.ts'].map((end) => chosen.filter((file) => file.endsWith(end)));
const [readsSpecification, walks] = [specification, walk].map((program) => chosen.includes(program));
if (chosen.length === 0) {
  if (!values.changed) fail(`No test file has “${argument}” in its path.`);
  process.exit(0);
}

const isGate = argument === undefined && !values.all && !values.changed;
if (values.all || argument?.includes('gallery')) process.env.PICTURES = 'all';
if (values.all) process.env.REQUESTS = 'all';
if (values.all) process.env.SEQUENCES ??= '5000';

await ensureInstalled();
const chromium = (readsSpecification || browserTests.length > 0) && (await ensureChromium());
const browsers = walks && (isGate ? [`Chromium=${chromium}`] : await ensureBrowsers());
await ensureBuilt();
const needsPrograms = (file) => file.startsWith(join('test', 'faults')) || file.includes('alerts');
if (unitTests.some(needsPrograms)) await ensureFaultPrograms();
// One test runs the commands on the page about the API, another one signs.
for (const [test, program, name] of [
  ['api-page', 'curl', 'curl'],
  ['release.test', 'ssh-keygen', 'openssh-client'],
]) {
  if (unitTests.some((file) => file.includes(test)) && !isInstalled(program)) await installDebianPackages(name);
}

// Many tests start processes: compiled code is cached for them too.
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/node');

process.env.TMPDIR ??= memoryFolder();
const isIn = (folder) => (file) => file.startsWith(join(folder, sep));
const ofServer = unitTests.filter(isIn('server'));
const elsewhere = unitTests.filter((file) => !isIn('server')(file) && !isIn('test')(file));
const inSixths = [0, 1, 2, 3, 4, 5].map((part) =>
  units(
    `of the server, ${part + 1} of 6`,
    ofServer.filter((_, i) => i % 6 === part),
  ),
);
const waiting = [
  units('in test/', unitTests.filter(isIn('test'))),
  units('of the web app and of scripts', elsewhere),
  walks && (() => runWalk(browsers, isGate ? '^with(out)? scripts$' : values.only)),
  units('of slow files, one of each kind', isGate ? quickFiles : [], quickOptions),
  ...(argument === 'storage' ? [units('of the storage', ofServer, ['--test-skip-pattern=/ on sqlite$/'])] : inSixths),
].filter(Boolean);
const readSpecification = readsSpecification && (() => runSpecification(chromium));
const browse =
  browserTests.length > 0 && (() => runBrowserTests(browserTests, chromium, isGate ? ['--grep-invert=@nightly'] : []));
const run = watchRun(process.argv.slice(2).join(' '), [readSpecification, browse, ...waiting].filter(Boolean).length);
// The specification runs first and alone, because its failures matter most.
const results = readSpecification ? [await run.part(readSpecification)] : [];
// Three parts run at a time; with `--all`, two until the browser tests have ended. On two processors this leaves some time free:
// under full load all tests take two to three times the processor time.
const browsing = Promise.resolve(browse && run.part(browse));
const row = async () => {
  for (let part; (part = waiting.shift());) results.push(await run.part(part));
};
await Promise.all([browsing.then(row), values.all ? browsing.then(row) : row(), row()]);
const parts = [await browsing, ...results].filter(Boolean);
const leftOut =
  isGate &&
  'Not run: other browsers, most browser tests, faults, copies and restores, several processes, pictures, the tools of a release. `npm run test:all` runs them, every night and before a release.';
process.exitCode = printSummary(parts, await judge(parts), leftOut);
if (process.exitCode === 0) run.passed();
if (values.all && process.exitCode === 0) noteTested();

function units(name, files, options) {
  return files.length > 0 && (() => runUnitTests(`unit tests ${name}`, files, options));
}
