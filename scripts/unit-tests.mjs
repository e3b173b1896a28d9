import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child.mjs';
import { pinnedNode } from './project.mjs';
import { readReport, verdict } from './test-verdict.mjs';

const testTimeoutMs = 120_000;
const faults = join('test', 'faults');

/**
 * The files run in one process, so that they share one PostgreSQL; handles left open cannot keep it from ending. With an
 * `outputFile` the results go there first and are printed in one piece at the end.
 */
export async function runUnitTests(files, reportFile, outputFile) {
  const [command, ...first] = files.some((file) => file.startsWith(faults)) ? inOwnNetwork() : [pinnedNode];
  const status = await run(command, [
    ...first,
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

/** Faults make network interfaces. Browsers that notice one drop the requests they have under way. */
function inOwnNetwork() {
  const isAllowed = spawnSync('unshare', ['--net', 'true']).status === 0;
  return isAllowed ? ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', pinnedNode] : [pinnedNode];
}
