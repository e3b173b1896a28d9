import { run } from './child.mjs';
import { ensureFirefox, testFonts } from './browsers.mjs';
import { ensureInstalled } from './install.mjs';
import { pinnedNode } from './project.mjs';
import { ensureBuilt } from './web-build.mjs';

// The browser tests in Debian's Firefox, without those that its driver cannot perform: docs/decisions/0025.
await ensureInstalled();
await ensureBuilt();
process.exitCode = await run(
  pinnedNode,
  ['node_modules/@playwright/test/cli.js', 'test', '--config=test/e2e/firefox.config.ts', ...process.argv.slice(2)],
  {
    env: { ...process.env, ...testFonts, FIREFOX: await ensureFirefox() },
  },
);
