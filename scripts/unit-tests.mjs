import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child.mjs';
import { pinnedNode } from './project.mjs';
import { readReport, verdict } from './test-verdict.mjs';

const testTimeoutMs = 120_000;
const faults = join('test', 'faults');

/**
 * Runs the files in one process, so that they share one PostgreSQL; handles left open cannot keep it from ending. With an
 * `outputFile` the results go there first and are printed in one piece at the end. A busy machine may pause for seconds:
 * files with failures run once more, and the notes name the tests that passed only then.
 */
export async function runUnitTests(files, reportFile, outputFile) {
  const first = await runOnce(files, reportFile, outputFile);
  const again = [...new Set(first.failures.map(({ file }) => file))];
  // What was skipped has no second try.
  if (again.length === 0 || first.failed !== first.failures.length) return first;
  const second = await runOnce(again, reportFile, outputFile);
  if (second.failed > 0) return { ...first, notes: [...first.notes, ...second.notes] };
  const notes = first.failures.map(({ what }) => `passed at the second try: ${what}`);
  return { passed: first.passed + first.failed, failed: 0, notes };
}

async function runOnce(files, reportFile, outputFile) {
  const [command, ...start] = files.some((file) => file.startsWith(faults)) ? inOwnNetwork() : [pinnedNode];
  const status = await run(command, [
    ...start,
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
  const { failures = [], passed, failed, cancelled, skipped, todo } = readReport(reportFile);
  const notes = failures.map(({ what }) => `failed: ${what}`);
  return { failures, ...verdict('unit tests', status, { passed, failed, cancelled, skipped, todo }, notes) };
}

/** Faults make network interfaces. Browsers that notice one drop the requests they have under way. */
function inOwnNetwork() {
  const isAllowed = spawnSync('unshare', ['--net', 'true']).status === 0;
  return isAllowed ? ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', pinnedNode] : [pinnedNode];
}
