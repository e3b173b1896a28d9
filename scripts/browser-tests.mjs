import { run } from './child.mjs';
import { pinnedNode } from './project.mjs';
import { readReport, verdict } from './test-verdict.mjs';

export async function runBrowserTests(files, chromium, reportFile) {
  const status = await run(
    pinnedNode,
    ['node_modules/@playwright/test/cli.js', 'test', '--reporter=list,json', ...files],
    { env: { ...process.env, CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile } },
  );
  const stats = readReport(reportFile).stats ?? {};
  return verdict('browser tests', status, {
    passed: stats.expected,
    failed: stats.unexpected,
    skipped: stats.skipped,
    flaky: stats.flaky,
  });
}
