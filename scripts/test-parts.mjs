import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureFullChromium, testFonts } from './browsers.mjs';
import { run } from './child.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { pinnedNode, root } from './project.mjs';
import { specification, walk } from './test-choice.mjs';

const memory = '/dev/shm';
/** Ten times what a run needs. */
const bytesNeeded = 4 * 1024 ** 3;
const folderStart = 'stena-test-';

/**
 * A folder for the temporary files of this process: in memory, where syncs cost nothing and a database of PostgreSQL is made in
 * half the processor time. Without such a file system it is the system's folder for temporary files.
 */
export function memoryFolder() {
  if (!isUsable()) return tmpdir();
  for (const leftover of readdirSync(memory).filter((file) => file.startsWith(folderStart))) {
    // A run that was killed cannot remove its files.
    if (!existsSync(join('/proc', leftover.slice(folderStart.length)))) remove(join(memory, leftover));
  }
  const folder = join(memory, folderStart + process.pid);
  mkdirSync(folder);
  // PostgreSQL runs as another user than root and writes into the folder.
  chmodSync(folder, 0o1777);
  process.on('exit', () => remove(folder));
  return folder;
}

/** Containers often have a small /dev/shm from which no program may be started. */
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

/** So long that only a test that hangs is ended: on a busy machine a test may take minutes. */
const testTimeoutMs = 300_000;
const faults = join('test', 'faults');

/** Runs the files in one process, so that they share one PostgreSQL. The process ends even if handles remain open. */
export function runUnitTests(name, files, options = []) {
  const [command, ...start] = files.some((file) => file.startsWith(faults)) ? inOwnNetwork() : [pinnedNode];
  const flags = ['--test', '--test-isolation=none', '--test-force-exit', `--test-timeout=${testTimeoutMs}`];
  const args = [...start, ...flags, '--test-reporter=./scripts/unit-reporter.mjs', ...options, ...files];
  return runPart(
    name,
    (env) => run(command, args, { env: { ...process.env, ...env } }),
    (file) => (file ? runUnitTests(file, [file], options) : runUnitTests(name, files, options)),
  );
}

/** Tests of faults make network interfaces. A browser that notices a new interface drops its open requests. */
function inOwnNetwork() {
  const isAllowed = spawnSync('unshare', ['--net', 'true']).status === 0;
  return isAllowed ? ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', pinnedNode] : [pinnedNode];
}

export async function runBrowserTests(files, chromium, options = [], name = 'browser tests') {
  const needsFull = files.some((file) => /(home-screen|push)\.spec\.ts$/.test(file));
  const full = needsFull ? await ensureFullChromium() : chromium;
  const browsers = { ...process.env, ...testFonts, CHROMIUM: chromium, CHROMIUM_FULL: full };
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--reporter=./scripts/browser-reporter.mjs'];
  return runPart(
    name,
    (env) => run(pinnedNode, [...args, ...options, ...files], { env: { ...browsers, ...env } }),
    (file) =>
      file
        ? runBrowserTests([join(root, file)], chromium, [...options, '--workers=1'], file)
        : runBrowserTests(files, chromium, options, name),
  );
}

/** Runs the lines of the specification (test/spec) in a browser and over HTTP, with the default settings. */
export const runSpecification = (CHROMIUM, name = 'lines of the specification') =>
  runPart(
    name,
    (env) => startTypeScript(specification, [], { ...testFonts, CHROMIUM, ...env }).ended,
    (file = name) => runSpecification(CHROMIUM, file),
  );

/** Runs the walk, a test of the app in several browsers (test/e2e/browsers). A browser is given as `name=program`. */
export const runWalk = (browsers, only = '', name = 'steps of the walk') =>
  runPart(
    name,
    (env) => startTypeScript(walk, [...browsers, `--only=${only}`], { ...testFonts, ...env }).ended,
    (file, titles) => {
      if (!file) return runWalk(browsers, only, name);
      const [browser, kind] = file.split(': ');
      const own = browsers.filter((each) => each.startsWith(`${browser}=`));
      // A failed story is run again as a whole, because its steps build on each other. Steps of the walk run alone.
      const steps = kind === 'walk' ? titles.map((title) => title.replaceAll(/[^\p{L}\p{N} ]/gu, '.')) : [kind];
      return runWalk(own, kind ? `^(${steps.join('|')})$` : only, file);
    },
  );

/**
 * Runs a part and reads the report that its program writes: `outcomes` has the file, the title and, if it failed, the error of each
 * test. A part with errors outside of tests has failed as a whole. If no test has failed, so has a part without tests or with a bad exit
 * status. `again` repeats the part, or one file of it.
 */
async function runPart(name, start, again) {
  const folder = mkdtempSync(join(tmpdir(), 'stena-test-'));
  const report = join(folder, 'report.json');
  const began = performance.now();
  const status = await start({ TEST_REPORT: report });
  const { outcomes = [], errors = [] } = readReport(report);
  rmSync(folder, { recursive: true });
  const hasFailure = outcomes.some(({ error }) => error !== undefined);
  const hasEnded = errors.length === 0 && (hasFailure || (outcomes.length > 0 && status === 0));
  const problem = [...errors, `It ended with status ${status} after ${outcomes.length} tests.`].join('\n');
  outcomes.push({ file: name, title: 'the process', ...(!hasEnded && { error: problem }) });
  return { name, outcomes, ms: performance.now() - began, again };
}

/** An empty report if the program ended before writing it. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
