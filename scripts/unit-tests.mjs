import { existsSync, readFileSync } from 'node:fs';
import { run } from './child.mjs';
import { pinnedNode } from './project.mjs';
import { readReport, verdict } from './test-verdict.mjs';

const testTimeoutMs = 120_000;

/**
 * The files run in one process, so that they share one PostgreSQL; handles left open cannot keep it from ending. With an
 * `outputFile` the results go there first and are printed in one piece at the end.
 */
export async function runUnitTests(files, reportFile, outputFile) {
  const status = await run(pinnedNode, [
    '--test',
    '--test-isolation=none',
    '--test-force-exit',
    `--test-timeout=${testTimeoutMs}`,
    '--test-reporter=spec',
    `--test-reporter-destination=${outputFile ?? 'stdout'}`,
    '--test-reporter=./scripts/counts-reporter.mjs',
    `--test-reporter-destination=${reportFile}`,
    ...files,
  ]);
  if (outputFile && existsSync(outputFile)) process.stdout.write(readFileSync(outputFile, 'utf8'));
  const { passed, failed, cancelled, skipped, todo, notes } = readReport(reportFile);
  return verdict('unit tests', status, { passed, failed, cancelled, skipped, todo }, notes);
}
