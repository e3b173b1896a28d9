import { ensureBrowsers } from './browsers.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { testFonts } from './test-fonts.mjs';
import { readReport, verdict } from './test-verdict.mjs';

/** One walk through the app in every browser (test/e2e/browsers). */
export async function runWalk(reportFile, args = []) {
  const browsers = await ensureBrowsers();
  const began = performance.now();
  const options = [...browsers, `--report=${reportFile}`, ...args];
  const status = await startTypeScript('test/e2e/browsers/main.ts', options, testFonts).ended;
  const { notes, ...counts } = readReport(reportFile);
  return verdict('steps of the walk', status, counts, { notes, began });
}
