import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child.mjs';
import { pinnedNode, root } from './project.mjs';

/** The folders whose tests use the storage. */
const folders = [
  'server/db',
  'server/live',
  'server/search',
  'server/limits',
  'server/mail',
  'server/ops/jobs',
  'server/features/posts',
];
const testTimeoutMs = 120_000;

/**
 * Runs every test of these folders that opens PostgreSQL, at ENGINE_URL if it is set, and prints a table of what holds.
 * Resolves to the exit status.
 */
export async function runStorageSuite() {
  const files = folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)))
    .filter((file) => file.endsWith('.test.ts') && !file.includes('/sqlite/'))
    .filter((file) => /\bengines\b|'postgres'/.test(readFileSync(join(root, file), 'utf8')))
    .toSorted();
  return run(pinnedNode, [
    '--test',
    '--test-isolation=none',
    '--test-force-exit',
    `--test-timeout=${testTimeoutMs}`,
    '--test-skip-pattern=/ on sqlite$/',
    '--test-reporter=./scripts/storage-reporter.mjs',
    '--test-reporter-destination=stdout',
    ...files,
  ]);
}
