import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { run } from './child.mjs';
import { pinnedNode } from './project.mjs';
import { readReport, verdict } from './test-verdict.mjs';

/** Only ends what hangs: on a busy machine a test may take minutes. */
const testTimeoutMs = 300_000;
const faults = join('test', 'faults');

/** Runs the files in one process, so that they share one PostgreSQL; handles left open cannot keep it from ending. */
export async function runUnitTests(name, files, reportFile) {
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
  const notes = failures.map((failure) => `failed: ${failure}`);
  const counts = { passed, failed, cancelled, skipped, todo };
  return verdict(name, status, counts, { notes, files: times, began });
}

/** Faults make network interfaces. Browsers that notice one drop the requests they have under way. */
function inOwnNetwork() {
  const isAllowed = spawnSync('unshare', ['--net', 'true']).status === 0;
  return isAllowed ? ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', pinnedNode] : [pinnedNode];
}
