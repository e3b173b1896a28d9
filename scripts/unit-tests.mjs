import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { run } from './child.mjs';
import { pinnedNode } from './project.mjs';
import { readReport, verdict } from './test-verdict.mjs';

const testTimeoutMs = 120_000;
const faults = join('test', 'faults');

/**
 * Runs the files in one process, so that they share one PostgreSQL; handles left open cannot keep it from ending. A busy
 * machine may pause for seconds: files with failures run once more, and the notes name the tests that passed only then.
 */
export async function runUnitTests(files, reportFile) {
  const first = await runOnce(files, reportFile);
  const again = [...new Set(first.failures.map(({ file }) => file))];
  // What was skipped has no second try.
  if (again.length === 0 || first.failed !== first.failures.length) return first;
  const second = await runOnce(again, reportFile);
  if (second.failed > 0) return { ...first, notes: [...first.notes, ...second.notes] };
  const notes = first.failures.map(({ what }) => `passed at the second try: ${what}`);
  return { ...first, passed: first.passed + first.failed, failed: 0, notes, ms: first.ms + second.ms };
}

async function runOnce(files, reportFile) {
  const began = performance.now();
  const [command, ...start] = files.some((file) => file.startsWith(faults)) ? inOwnNetwork() : [pinnedNode];
  const status = await run(command, [
    ...start,
    '--test',
    '--test-isolation=none',
    '--test-force-exit',
    `--test-timeout=${testTimeoutMs}`,
    '--test-reporter=./scripts/files-reporter.mjs',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/counts-reporter.mjs',
    `--test-reporter-destination=${reportFile}`,
    ...files,
  ]);
  const { failures = [], files: times, passed, failed, cancelled, skipped, todo } = readReport(reportFile);
  const notes = failures.map(({ what }) => `failed: ${what}`);
  const counts = { passed, failed, cancelled, skipped, todo };
  const name = files[0].startsWith('test') ? 'unit tests in test/' : 'unit tests beside the code';
  return { failures, ...verdict(name, status, counts, { notes, files: times, began }) };
}

/** Faults make network interfaces. Browsers that notice one drop the requests they have under way. */
function inOwnNetwork() {
  const isAllowed = spawnSync('unshare', ['--net', 'true']).status === 0;
  return isAllowed ? ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', pinnedNode] : [pinnedNode];
}
