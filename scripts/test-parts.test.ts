import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const head = `import { describe, before, test } from 'node:test';`;
const passing = `${head} test('passes', () => {});`;
const failing = `${head} test('fails', () => { throw new Error('as always'); });`;
const skipping = `${head} test('is left out', { skip: true }, () => {});`;
const grouped = `${head} describe('a group', () => { before(() => { throw new Error('no place'); }); test('waits', () => {}); });`;

// Variables of the run that this test is part of.
const { NODE_TEST_CONTEXT: _, TEST_REPORT: __, ...env } = process.env;

async function partOf(...sources: string[]) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'stena-units-'));
  const files = sources.map((_source, index) => join(folder.path, `${index}.test.mjs`));
  for (const [index, source] of sources.entries()) await writeFile(files[index]!, source);
  const script = `import { printSummary, runUnitTests } from './scripts/test-parts.mjs';
    printSummary([await runUnitTests('of a test', ${JSON.stringify(files)})]);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  return stdout.trimEnd().replaceAll(/\S*\/(?=\d)/g, '');
}

const lastLineOf = (output: string): string => output.slice(output.lastIndexOf('\n') + 1);

test('a unit test that fails is named with its cause, and its file as soon as it ends', async () => {
  const output = await partOf(passing, failing);
  assert.match(output, /^✔ 0\.test\.mjs \(1, .+ s\)\n✘ 1\.test\.mjs \(1 of 1 failed, .+ s\)\n/);
  assert.match(output, /\n\nfailed: 1\.test\.mjs fails\nas always\n/);
  assert.equal(lastLineOf(output), '1 passed, 1 failed');
});

test('a unit test that a helper declares belongs to the file that calls it', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'stena-units-'));
  const helper = join(folder.path, 'helper.mjs');
  await writeFile(helper, `import { test } from 'node:test'; export const declare = (title) => test(title, () => {});`);
  const calling = `import { declare } from '${helper}'; declare('passes');`;
  assert.match(await partOf(calling, calling), /^✔ 0\.test\.mjs \(1, .+ s\)\n✔ 1\.test\.mjs \(1, .+ s\)\n/);
});

test('a unit test that is skipped counts as failed, as does one whose group cannot begin', async () => {
  assert.equal(lastLineOf(await partOf(passing, skipping)), '1 passed, 1 failed');
  assert.equal(lastLineOf(await partOf(failing, skipping)), '0 passed, 2 failed');
  const output = await partOf(passing, grouped);
  assert.match(output, /\n✘ 1\.test\.mjs \(2 of 2 failed, /);
  assert.match(output, /\nfailed: 1\.test\.mjs a group\nno place\n/);
  assert.equal(lastLineOf(output), '1 passed, 1 failed');
});

test('a part that ends before its report, or with a bad status, counts as failed', async () => {
  assert.equal(lastLineOf(await partOf('process.exit(0);')), '0 passed, 1 failed');
  assert.equal(lastLineOf(await partOf(`${passing} process.on('exit', () => process.exit(7));`)), '1 passed, 1 failed');
});

test('browser tests are reported alike: those that fail with their causes, and those that did not run', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'stena-browser-'));
  const playwright = import.meta.resolve('@playwright/test');
  const file = join(folder.path, 'one.spec.mjs');
  const report = join(folder.path, 'report.json');
  await writeFile(
    file,
    `import { expect, test } from '${playwright}';
    test('passes', () => {});
    test.skip('is left out', () => {});
    test.describe.serial('in a row', () => { test('fails', () => { expect('it').toBe('else'); }); test('waits', () => {}); });`,
  );
  const cli = join(import.meta.dirname, '../node_modules/@playwright/test/cli.js');
  const args = [cli, 'test', `--config=${folder.path}`, `--reporter=${import.meta.dirname}/browser-reporter.mjs`];
  const options = { cwd: folder.path, env: { ...env, TEST_REPORT: report } };
  const ended = promisify(execFile)(process.execPath, args, options).catch((error: { stdout: string }) => error);
  assert.match((await ended).stdout, /^✘ \S*one\.spec\.mjs \(2 of 4 failed, .+ s\)\n$/);
  const { notes, ...counts } = JSON.parse(await readFile(report, 'utf8')) as { notes: string[] };
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 2 });
  assert.match(notes[0]!, /^failed: \S*one\.spec\.mjs:4 fails\nError: expect/);
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
    ['web/pages/settings/names.tsx', tests.slice(2)],
    ['docs/guide/mail.md', []],
    ['package-lock.json', tests],
  ] as const) {
    assert.deepEqual([...reachedFiles(tests, [changed])], reached, changed);
  }
});
