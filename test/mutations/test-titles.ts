import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { steps } from '../e2e/browsers/walk/steps.ts';
import { faults } from '../faults/faults.ts';
import { root } from './project-copy.ts';

/** Titles of tests and of the groups that contain them, by test file. */
export type Titles = ReadonlyMap<string, readonly string[]>;

/** Test files whose tests are lists, and may be missing on a machine that cannot run them all. */
const lists: Record<string, readonly string[]> = {
  'test/e2e/browsers/main.ts': steps.map(({ name }) => name),
  'test/faults/faults.test.ts': faults.map(({ name }) => `withstands ${name}`),
};

/** Finds the titles in the test files of mutations, without running a test. */
export async function findTitles(files: ReadonlySet<string>): Promise<Titles> {
  const other = [...files].filter((file) => !(file in lists));
  const found = await Promise.all([
    titlesOfBrowserTests(other.filter((file) => file.endsWith('.spec.ts'))),
    titlesOfUnits(other.filter((file) => file.endsWith('.test.ts'))),
  ]);
  return new Map([...Object.entries(lists), ...found.flatMap((titles) => [...titles])]);
}

interface Suite {
  title: string;
  file: string;
  specs: ReadonlyArray<{ title: string }>;
  suites?: Suite[];
}

async function titlesOfBrowserTests(files: readonly string[]): Promise<Titles> {
  if (files.length === 0) return new Map();
  const args = ['node_modules/@playwright/test/cli.js', 'test', '--list', '--reporter=json', ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, maxBuffer: Infinity });
  const { suites } = JSON.parse(stdout) as { suites: Suite[] };
  return new Map(suites.map((suite) => [`test/e2e/${suite.file}`, titlesIn(suite)]));
}

const titlesIn = ({ title, specs, suites = [] }: Suite): string[] => [
  title,
  ...specs.map((spec) => spec.title),
  ...suites.flatMap(titlesIn),
];

type Body = () => unknown;

/**
 * Imports each file with a module in place of `node:test` that records titles and runs only the bodies of groups. A
 * machine that cannot run a test does not register it, so the lines of the file count as well.
 */
async function titlesOfUnits(files: readonly string[]): Promise<Titles> {
  let titles: string[] = [];
  const ignore = (): void => {};
  const test = (title: string): void => void titles.push(title);
  const describe = (title: string, ...rest: [Body] | [object, Body]): void => {
    titles.push(title);
    (rest.at(-1) as Body)();
  };
  const recorder = { test, it: test, describe, before: ignore, after: ignore, beforeEach: ignore, afterEach: ignore };
  Object.assign(globalThis, { titleRecorder: { ...recorder, mock: {} } });
  const source = `export const { ${Object.keys(recorder).join()}, mock } = globalThis.titleRecorder;`;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'node:test'
        ? { url: `data:text/javascript,${encodeURIComponent(source)}`, shortCircuit: true }
        : next(specifier, context),
  });
  const found = new Map<string, readonly string[]>();
  for (const file of files) {
    const path = join(root, file);
    titles = readFileSync(path, 'utf8').split('\n');
    await import(pathToFileURL(path).href);
    found.set(file, titles);
  }
  hooks.deregister();
  return found;
}
