import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Mutation } from './mutation.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const leftOut = new Set(['.git', 'data', 'node_modules', 'test-results']);

const endWithParent = new URL('../../scripts/end-with-parent.mjs', import.meta.url);
endWithParent.search = String(process.pid);

const unitTests = (file: string, titles: string): string[] => [
  '--test',
  '--test-force-exit',
  '--test-isolation=none',
  '--test-timeout=120000',
  '--test-reporter=tap',
  `--test-name-pattern=${titles}`,
  file,
];

const browserTests = (file: string, titles: string): string[] => [
  'node_modules/@playwright/test/cli.js',
  'test',
  '--reporter=list',
  '--retries=0',
  '--timeout=120000',
  `--grep=${titles}`,
  file,
];

/** A copy of the project in which one file at a time is changed. */
export class ProjectCopy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'stena-mutation-'));
  readonly #dist = join(this.#folder, 'dist');
  readonly #env: NodeJS.ProcessEnv;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = { ...process.env, ...env };
    cpSync(root, this.#folder, { recursive: true, filter: (path) => !leftOut.has(relative(root, path)) });
    symlinkSync(join(root, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  /** Whether a test with that title fails while the mutation applies. */
  async notices({ file, from, to, test, title }: Mutation): Promise<boolean> {
    const path = join(this.#folder, file);
    const original = readFileSync(path, 'utf8');
    const originalDist = `${this.#dist}.original`;
    // Tests of the web app import its sources, browsers and the server load its build.
    const isBuilt = file.startsWith('web/') && !test.startsWith('web/');
    writeFileSync(
      path,
      original.replace(from, () => to),
    );
    if (isBuilt) renameSync(this.#dist, originalDist);
    try {
      if (isBuilt)
        await promisify(execFile)(process.execPath, ['scripts/build.mjs'], { cwd: this.#folder, env: this.#env });
      const { lines } = await this.run(test, [title]);
      return lines.some((line) => /^\s*(not ok|✘|x) /.test(line) && line.includes(title));
    } finally {
      writeFileSync(path, original);
      if (isBuilt) {
        rmSync(this.#dist, { recursive: true, force: true });
        renameSync(originalDist, this.#dist);
      }
    }
  }

  /** Runs the tests of a file whose titles contain one of these. */
  async run(file: string, titles: readonly string[]): Promise<{ passed: boolean; lines: readonly string[] }> {
    const argsFor = file.endsWith('.spec.ts') ? browserTests : unitTests;
    const args = argsFor(file, titles.map((title) => RegExp.escape(title)).join('|'));
    const child = spawn(process.execPath, [`--import=${endWithParent}`, ...args], {
      cwd: this.#folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 300_000,
    });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit') as Promise<[number | null]>]);
    const lines = output.split('\n');
    const ran = (title: string): boolean => lines.some((line) => /^\s*(ok|✓) /.test(line) && line.includes(title));
    return { passed: code === 0 && titles.every(ran), lines };
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true });
  }
}
