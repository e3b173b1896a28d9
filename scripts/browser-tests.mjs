import { stripVTControlCharacters } from 'node:util';
import { run } from './child.mjs';
import { ensureFullChromium } from './chromium.mjs';
import { pinnedNode } from './project.mjs';
import { testFonts } from './test-fonts.mjs';
import { readReport, verdict } from './test-verdict.mjs';

export async function runBrowserTests(files, chromium, reportFile) {
  const full = files.some((file) => file.endsWith('home-screen.spec.ts')) ? await ensureFullChromium() : chromium;
  const began = performance.now();
  const status = await run(
    pinnedNode,
    ['node_modules/@playwright/test/cli.js', 'test', '--reporter=./scripts/browser-files-reporter.mjs,json', ...files],
    {
      env: {
        ...process.env,
        ...testFonts,
        CHROMIUM: chromium,
        CHROMIUM_FULL: full,
        PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile,
      },
    },
  );
  const { stats = {}, suites = [] } = readReport(reportFile);
  const { expected: passed, unexpected: failed, skipped } = stats;
  const counts = { passed, failed, skipped };
  const times = {};
  for (const { file, ms } of suites.flatMap(timesOf)) times[`test/e2e/${file}`] = (times[`test/e2e/${file}`] ?? 0) + ms;
  return verdict('browser tests', status, counts, { notes: suites.flatMap(notesOf), files: times, began });
}

function timesOf({ suites = [], specs = [] }) {
  const own = specs.flatMap(({ file, tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }) => ({ file, ms: duration }))),
  );
  return [...own, ...suites.flatMap(timesOf)];
}

/** The tests of a suite that failed, with their errors. */
function notesOf({ suites = [], specs = [] }) {
  const failed = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => {
        const errors = results.flatMap((result) =>
          result.errors.map(({ message }) => stripVTControlCharacters(message ?? '')),
        );
        return [`failed: test/e2e/${file}:${line} ${title}`, ...errors].join('\n');
      }),
  );
  return [...failed, ...suites.flatMap(notesOf)];
}
