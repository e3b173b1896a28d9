import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { ProjectCopy } from './project-copy.ts';

const timeoutMs = 180_000;

const endWithParent = new URL('../../scripts/end-with-parent.mjs', import.meta.url);
endWithParent.search = String(process.pid);

const nodeTests = (file: string, name: string): string[] => [
  '--test',
  '--test-force-exit',
  '--test-isolation=none',
  '--test-timeout=120000',
  '--test-reporter=tap',
  `--test-name-pattern=${name}`,
  file,
];

const browserTests = (file: string, name: string): string[] => [
  'node_modules/@playwright/test/cli.js',
  'test',
  '--reporter=list',
  '--retries=0',
  `--grep=${name}`,
  file,
];

/** Steps of the walk through the app, in browsers with other engines than Chromium. */
const walk = (file: string, name: string): string[] => [
  file,
  `--only=${name}`,
  'Firefox=firefox-esr',
  'WebKit=WebKitWebDriver',
];

interface TestRun {
  passed: boolean;
  /** A test of that name failed, and not only the loading of its file. */
  seenFailing: boolean;
  output: string;
}

/** Runs the tests of a file whose titles match. */
export async function runTests({ folder, env }: ProjectCopy, file: string, name: string): Promise<TestRun> {
  const args = argsFor(file)(file, name);
  const child = spawn(process.execPath, [`--import=${endWithParent}`, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
  });
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number | null]>,
  ]);
  const wanted = new RegExp(name);
  const failures = output.split('\n').filter((line) => /^\s*(not ok|✘|x) /.test(line));
  return {
    passed: code === 0 && /^\s*(ok|✓) .+/m.test(output),
    seenFailing: failures.some((line) => wanted.test(line)),
    output: output + errors,
  };
}

function argsFor(file: string): (file: string, name: string) => string[] {
  if (file.endsWith('.spec.ts')) return browserTests;
  return file.endsWith('.test.ts') ? nodeTests : walk;
}
