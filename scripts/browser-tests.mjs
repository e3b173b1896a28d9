import { run } from './child.mjs';
import { pinnedNode } from './project.mjs';
import { readReport, verdict } from './test-verdict.mjs';

export async function runBrowserTests(files, chromium, reportFile) {
  const status = await run(
    pinnedNode,
    ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...files],
    { env: { ...process.env, CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile } },
  );
  const { expected = 0, unexpected, skipped, flaky = 0 } = readReport(reportFile).stats ?? {};
  if (flaky > 0) console.error(`${flaky} of the browser tests passed at the second try.`);
  return verdict('browser tests', status, {
    passed: expected + flaky,
    failed: unexpected,
    skipped,
  });
}
