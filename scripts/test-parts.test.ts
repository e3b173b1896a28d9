import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const head = `import { describe, before, test } from 'node:test';`;
const passing = `${head} test('passes', () => {});`;
const failing = `${head} test('fails', () => { throw new Error('as always', { cause: new Error('at the bottom') }); });`;
const skipping = `${head} test('is left out', { skip: true }, () => {});`;
const grouped = `${head} describe('a group', () => { before(() => { throw new Error('no place'); }); test('waits', () => {}); });`;

// The planted runs do not get the variables of the run that this test is part of.
const { NODE_TEST_CONTEXT: _, TEST_REPORT: __, ...env } = process.env;

/** Runs planted files as a part of their own, and again after failures as `judge` decides. */
async function runPlanted(kind: 'unit' | 'browser', ...sources: string[]) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'stena-planted-'));
  const end = kind === 'unit' ? 'test' : 'spec';
  const files = sources.map((_source, index) => join(folder.path, `${index}.${end}.mjs`));
  for (const [index, source] of sources.entries()) {
    await writeFile(files[index]!, source.replaceAll('FOLDER', folder.path).replaceAll('PLAYWRIGHT', playwright));
  }
  const part =
    kind === 'unit'
      ? `runUnitTests('of a test', ${JSON.stringify(files)})`
      : `runBrowserTests(${JSON.stringify(files)}, 'none', ['--config=${folder.path}'])`;
  const script = `import { judge, printSummary } from './scripts/second-runs.mjs';
    import { runBrowserTests, runUnitTests } from './scripts/test-parts.mjs';
    const parts = [await ${part}];
    process.exit(printSummary(parts, await judge(parts)));`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', script], { env, encoding: 'utf8', cwd: root });
  const lines = ran.stdout
    .trimEnd()
    .replaceAll(/\S*\/(?=\d)/g, '')
    .split('\n');
  const tried = lines.filter((line) => line.startsWith('Again')).length;
  return { output: lines.join('\n'), closing: lines.slice(-2), status: ran.status, tried };
}

const root = join(import.meta.dirname, '..');
const playwright = import.meta.resolve('@playwright/test');
/** Code that fails the first `failures` times and then passes. */
const waveringAt = (name: string, failures: number) => `{
  const { appendFileSync, readFileSync } = process.getBuiltinModule('node:fs');
  appendFileSync('FOLDER/${name}', '.');
  if (readFileSync('FOLDER/${name}', 'utf8').length <= ${failures}) throw new Error('not yet\\nbecause');
}`;
const wavering = (failures: number, name = 'wavers') => `${head} test('${name}', () => ${waveringAt(name, failures)});`;

test('a unit test that fails is named with its cause, and its file as soon as it ends', async () => {
  const { output, closing, status, tried } = await runPlanted('unit', passing, failing);
  assert.match(output, /^✔ 0\.test\.mjs \(1, .+ s\)\n✘ 1\.test\.mjs \(1 of 1 failed, .+ s\)\n/);
  assert.match(output, /\n\nfailed: 1\.test\.mjs · fails\nas always\nat the bottom\n/);
  assert.deepEqual([closing, status, tried], [['wavered 0', '1 passed, 1 failed'], 1, 2]);
});

test('a unit test that passes when its file runs again alone has wavered, and is counted as passed once', async () => {
  for (const [failures, tries] of [
    [1, 2],
    [2, 3],
  ] as const) {
    const { output, closing, status } = await runPlanted('unit', passing, wavering(failures));
    assert.match(output, /\n\nfailed at first: 1\.test\.mjs · wavers\nnot yet\nbecause\n/);
    const line = `wavered: 1.test.mjs · wavers (passed at try ${tries}) · not yet`;
    assert.ok(output.endsWith(`\n${line}\nwavered 1\n2 passed, 0 failed`), output);
    assert.deepEqual([closing, status], [['wavered 1', '2 passed, 0 failed'], 0]);
  }
  const { closing, status } = await runPlanted('unit', wavering(3));
  assert.deepEqual([closing, status], [['wavered 0', '0 passed, 1 failed'], 1]);
});

test('a part whose process ends without a report runs again, whole and once', async () => {
  const ending = (times: number) => `${passing} try ${waveringAt('ends', times)} catch { process.exit(0); }`;
  const once = await runPlanted('unit', ending(1), passing);
  assert.match(once.output, /\nwavered: of a test · the process \(passed at try 2\) · It ended with status 0/);
  assert.deepEqual([once.closing, once.status, once.tried], [['wavered 1', '2 passed, 0 failed'], 0, 1]);
  const twice = await runPlanted('unit', ending(2));
  assert.deepEqual([twice.closing, twice.status, twice.tried], [['wavered 0', '0 passed, 1 failed'], 1, 1]);
  const badly = await runPlanted('unit', `${passing} process.on('exit', () => process.exit(7));`);
  assert.deepEqual([badly.closing, badly.status, badly.tried], [['wavered 0', '1 passed, 1 failed'], 1, 1]);
});

test('nothing runs again when more than 20 files fail', async () => {
  const some = await runPlanted(
    'unit',
    ...Array.from({ length: 21 }, (_test, index) => wavering(1, `wavers ${index}`)),
  );
  assert.deepEqual([some.closing, some.status, some.tried], [['wavered 0', '0 passed, 21 failed'], 1, 0]);
  assert.match(some.output, /\nMore than 20 files failed, so none ran again\.\n/);
});

test('more than 10 wavering tests fail the run', async () => {
  const many = (count: number) =>
    head +
    Array.from({ length: count }, (_test, index) => `test('${index}', () => ${waveringAt(`${index}`, 1)});`).join('');
  const ten = await runPlanted('unit', many(10));
  assert.deepEqual([ten.closing, ten.status], [['wavered 10', '10 passed, 0 failed'], 0]);
  const eleven = await runPlanted('unit', many(11));
  assert.deepEqual([eleven.closing, eleven.status], [['wavered 11', '11 passed, 0 failed'], 1]);
  assert.match(eleven.output, /\nMore than 10 tests wavered: that fails the run\.\nwavered: /);
});

test('a unit test that a helper declares belongs to the file that calls it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'stena-units-'));
  const helper = join(folder.path, 'helper.mjs');
  await writeFile(helper, `import { test } from 'node:test'; export const declare = (title) => test(title, () => {});`);
  const calling = `import { declare } from '${helper}'; declare('passes');`;
  const { output } = await runPlanted('unit', calling, calling);
  assert.match(output, /^✔ 0\.test\.mjs \(1, .+ s\)\n✔ 1\.test\.mjs \(1, .+ s\)\n/);
});

test('a unit test that is skipped counts as failed, as does one whose group cannot begin', async () => {
  const one = await runPlanted('unit', passing, skipping);
  assert.deepEqual([one.closing, one.status], [['wavered 0', '1 passed, 1 failed'], 1]);
  const { output, closing } = await runPlanted('unit', passing, grouped);
  assert.match(output, /\n✘ 1\.test\.mjs \(2 of 2 failed, /);
  assert.match(output, /\nfailed: 1\.test\.mjs · a group\nno place\n/);
  assert.equal(closing[1], '1 passed, 2 failed');
});

test('browser tests are reported alike, and run again alike', async () => {
  const { output, closing, status } = await runPlanted(
    'browser',
    `import { expect, test } from 'PLAYWRIGHT';
    test('passes', () => {});
    test.skip('is left out', () => {});
    test('wavers', () => ${waveringAt('wavers', 1)});
    test.describe.serial('in a row', () => { test('fails', () => { expect('it').toBe('else'); }); test('waits', () => {}); });`,
  );
  assert.match(output, /^✘ 0\.spec\.mjs \(4 of 5 failed, .+ s\)\n/);
  assert.match(output, /\nfailed: 0\.spec\.mjs · in a row › fails\nError: expect/);
  assert.match(output, /\nfailed: 0\.spec\.mjs · in a row › waits\nIt did not run\. That counts as failed\.\n/);
  assert.match(output, /\nwavered: 0\.spec\.mjs · wavers \(passed at try 2\) · Error: not yet\n/);
  assert.deepEqual([closing, status], [['wavered 1', '2 passed, 3 failed'], 1]);
  const wavers = `import { test } from 'PLAYWRIGHT'; test('wavers', () => ${waveringAt('wavers', 1)});`;
  const second = await runPlanted('browser', wavers);
  assert.deepEqual([second.closing, second.status], [['wavered 1', '1 passed, 0 failed'], 0]);
});

test('a release needs a run of everything for its commit, without uncommitted changes', async () => {
  const path: string = './tested-commit.mjs';
  const { isTested, noteTested }: Record<'isTested' | 'noteTested', (folder: string) => unknown> = await import(path);
  await using folder = await mkdtempDisposable(join(tmpdir(), 'stena-commits-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder.path });
  const isTestedHere = () => isTested(folder.path);
  noteTested(folder.path);
  assert.equal(isTestedHere(), false);
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  assert.equal(isTestedHere(), false);
  await writeFile(join(folder.path, 'changed'), '');
  noteTested(folder.path);
  git('add', '.');
  git('commit', '-q', '-m', 'two');
  assert.equal(isTestedHere(), false);
  noteTested(folder.path);
  assert.equal(isTestedHere(), true);
  git('commit', '-q', '--allow-empty', '-m', 'three');
  assert.equal(isTestedHere(), false);
});

test('a change runs the tests that need the changed file, those of pages for the browser’s code, all for packages', async () => {
  const tests = [
    'contract/links.test.ts',
    'server/features/account/username.test.ts',
    'server/pages/settings.test.ts',
    'test/e2e/account.spec.ts',
  ];
  const path: string = './import-graph.mjs';
  const { reachedFiles }: { reachedFiles(files: readonly string[], changed: readonly string[]): Set<string> } =
    await import(path);
  for (const [changed, reached] of [
    ['contract/links.test.ts', tests.slice(0, 1)],
    ['contract/links.ts', tests],
    ['server/features/account/account-store.ts', tests.slice(1)],
    ['web/pages/settings/profile.tsx', tests.slice(2)],
    ['docs/guide/mail.md', []],
    ['package-lock.json', tests],
  ] as const) {
    assert.deepEqual([...reachedFiles(tests, [changed])], reached, changed);
  }
});
