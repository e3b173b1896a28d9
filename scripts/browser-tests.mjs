import { stripVTControlCharacters } from 'node:util';
import { run } from './child.mjs';
import { ensureFullChromium } from './chromium.mjs';
import { pinnedNode } from './project.mjs';
import { readReport, verdict } from './test-verdict.mjs';

export async function runBrowserTests(files, chromium, reportFile) {
  const full = files.some((file) => file.endsWith('home-screen.spec.ts')) ? await ensureFullChromium() : chromium;
  const status = await run(
    pinnedNode,
    ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...files],
    { env: { ...process.env, CHROMIUM: chromium, CHROMIUM_FULL: full, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile } },
  );
  const { stats = {}, suites = [] } = readReport(reportFile);
  const { expected = 0, unexpected, skipped, flaky = 0 } = stats;
  const counts = { passed: expected + flaky, failed: unexpected, skipped };
  return verdict('browser tests', status, counts, suites.flatMap(notesOf));
}

/** The tests of a suite that failed at the first try, with the error of each try. */
function notesOf({ suites = [], specs = [] }) {
  const failed = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) => {
        const errors = results.flatMap(({ error }) => (error ? [stripVTControlCharacters(error.message ?? '')] : []));
        const outcome = status === 'flaky' ? 'passed at the second try' : 'failed';
        return [`${outcome}: test/e2e/${file}:${line} ${title}`, ...errors].join('\n');
      }),
  );
  return [...failed, ...suites.flatMap(notesOf)];
}
