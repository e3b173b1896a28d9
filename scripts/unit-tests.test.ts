import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const head = `import { test } from 'node:test';`;
const passing = `${head} test('passes', () => {});`;
const failing = `${head} test('fails', () => { throw new Error('as always'); });`;
const skipping = `${head} test('is left out', { skip: true }, () => {});`;

async function verdictOf(...sources: string[]): Promise<{ passed: number; failed: number; notes: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'stena-units-'));
  const files = sources.map((_, index) => join(folder, `${index}.test.mjs`));
  for (const [index, source] of sources.entries()) await writeFile(files[index]!, source);
  const given = ['unit tests', files, join(folder, 'report.json')].map((value) => JSON.stringify(value));
  const script = `import { runUnitTests } from './scripts/unit-tests.mjs';
    console.log(JSON.stringify(await runUnitTests(${given.join(', ')})));`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  await rm(folder, { recursive: true });
  const { passed, failed, notes } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!);
  return { passed, failed, notes: notes.map((note: string) => note.replace(/\S*\/(?=\d)/, '')) };
}

test('a unit test that fails is named with its cause', async () => {
  assert.deepEqual(await verdictOf(passing, failing), {
    passed: 1,
    failed: 1,
    notes: ['failed: 1.test.mjs fails\nas always'],
  });
});

test('a unit test that is skipped counts as failed', async () => {
  assert.deepEqual(await verdictOf(passing, skipping), { passed: 1, failed: 1, notes: [] });
  const { failed } = await verdictOf(failing, skipping);
  assert.equal(failed, 2);
});
