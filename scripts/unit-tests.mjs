import { run } from './child.mjs';
import { pinnedNode } from './project.mjs';
import { readReport, verdict } from './test-verdict.mjs';

const testTimeoutMs = 120_000;

/** All files in one process, so that they share one PostgreSQL; handles left open cannot keep it from ending. */
export async function runUnitTests(files, reportFile) {
  const status = await run(pinnedNode, [
    '--test',
    '--test-isolation=none',
    '--test-force-exit',
    `--test-timeout=${testTimeoutMs}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/counts-reporter.mjs',
    `--test-reporter-destination=${reportFile}`,
    ...files,
  ]);
  const counts = readReport(reportFile);
  return verdict('unit tests', status, {
    passed: counts.passed,
    failed: counts.failed,
    cancelled: counts.cancelled,
    skipped: counts.skipped,
    todo: counts.todo,
  });
}
