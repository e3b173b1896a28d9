import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBrowsers, ensureFullChromium, testFonts } from './browsers.mjs';
import { run } from './child.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { pinnedNode } from './project.mjs';
import { specification, walk } from './test-choice.mjs';

const memory = '/dev/shm';
/** A run needs a tenth of it. */
const bytesNeeded = 4 * 1024 ** 3;
const folderStart = 'stena-test-';

/**
 * A folder for the temporary files of this process: in memory, where syncs cost nothing and a database of PostgreSQL is made in
 * half the processor time. Without such a file system it is the system's folder for temporary files.
 */
export function memoryFolder() {
  if (!isUsable()) return tmpdir();
  for (const left of readdirSync(memory).filter((file) => file.startsWith(folderStart))) {
    // A run that was killed cannot remove its files.
    if (!existsSync(join('/proc', left.slice(folderStart.length)))) remove(join(memory, left));
  }
  const folder = join(memory, folderStart + process.pid);
  mkdirSync(folder);
  // PostgreSQL does not run as root, and needs the folder too.
  chmodSync(folder, 0o1777);
  process.on('exit', () => remove(folder));
  return folder;
}

/** Containers often have a small one that allows no programs. */
function isUsable() {
  if (!existsSync(memory) || !existsSync('/proc/mounts')) return false;
  const [, , type, flags = ''] =
    readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, mountedAt]) => mountedAt === memory) ?? [];
  const { bavail, bsize } = statfsSync(memory);
  return type === 'tmpfs' && !flags.split(',').includes('noexec') && bavail * bsize >= bytesNeeded;
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  } catch {
    // A program that is still ending writes there. The next run removes the folder.
  }
}

/** Only ends what hangs: on a busy machine a test may take minutes. */
const testTimeoutMs = 300_000;
const faults = join('test', 'faults');

/** Runs the files in one process, so that they share one PostgreSQL; handles left open cannot keep it from ending. */
export function runUnitTests(name, files, options = []) {
  const [command, ...start] = files.some((file) => file.startsWith(faults)) ? inOwnNetwork() : [pinnedNode];
  const flags = ['--test', '--test-isolation=none', '--test-force-exit', `--test-timeout=${testTimeoutMs}`];
  const args = [...start, ...flags, '--test-reporter=./scripts/unit-reporter.mjs', ...options, ...files];
  return runPart(`unit tests ${name}`, (env) => run(command, args, { env: { ...process.env, ...env } }));
}

/** Faults make network interfaces. Browsers that notice one drop the requests they have under way. */
function inOwnNetwork() {
  const isAllowed = spawnSync('unshare', ['--net', 'true']).status === 0;
  return isAllowed ? ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', pinnedNode] : [pinnedNode];
}

export async function runBrowserTests(files, chromium) {
  const needsFull = files.some((file) => /(home-screen|push)\.spec\.ts$/.test(file));
  const full = needsFull ? await ensureFullChromium() : chromium;
  const browsers = { ...process.env, ...testFonts, CHROMIUM: chromium, CHROMIUM_FULL: full };
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=./scripts/browser-reporter.mjs', ...files];
  return runPart('browser tests', (env) => run(pinnedNode, args, { env: { ...browsers, ...env } }));
}

/** Every line of the specification, in a browser and over HTTP, with the settings as shipped (test/spec). */
export const runSpecification = (CHROMIUM) =>
  runPart(
    'lines of the specification',
    (env) => startTypeScript(specification, [], { ...testFonts, CHROMIUM, ...env }).ended,
  );

/** One walk through the app in every browser (test/e2e/browsers). */
export async function runWalk({ only = '' }) {
  const args = [...(await ensureBrowsers()), `--only=${only}`];
  return runPart('steps of the walk', (env) => startTypeScript(walk, args, { ...testFonts, ...env }).ended);
}

/**
 * Judges a part of the run by the report that its program writes: counts, and `notes`, the tests that failed with their causes.
 * Skipped tests count as failed, as does a part without tests or with a bad exit status.
 */
async function runPart(name, start) {
  const folder = mkdtempSync(join(tmpdir(), 'stena-test-'));
  const file = join(folder, 'report.json');
  const began = performance.now();
  const status = await start({ TEST_REPORT: file });
  const { passed = 0, failed = 0, notes = [], ...leftOut } = readReport(file);
  rmSync(folder, { recursive: true });
  const part = { name, passed, failed, notes, ms: performance.now() - began };
  for (const [kind, count] of Object.entries(leftOut)) {
    if (count > 0) notes.push(`${count} of the ${name}: ${kind}. That counts as failed.`);
    part.failed += count;
  }
  if (part.failed === 0 && (passed === 0 || status !== 0)) {
    notes.push(`The ${name} ended with status ${status} after ${passed} had passed.`);
    part.failed = 1;
  }
  return part;
}

/** An empty report if the program ended before writing it. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** Prints what failed, the time of each part and the counts. Returns the number of failures. */
export function printSummary(parts) {
  for (const note of parts.flatMap(({ notes }) => notes)) console.log(`\n${note}`);
  console.log();
  for (const { name, ms } of parts) console.log(`${(ms / 60_000).toFixed(1).padStart(5)} min  ${name}`);
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  return sum('failed');
}
