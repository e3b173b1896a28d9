import { ensureChromium, ensureFullChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { ensureBuilt } from './web-build.mjs';

await ensureInstalled();
const settings = { CHROMIUM: await ensureChromium(), CHROMIUM_FULL: await ensureFullChromium() };
await ensureBuilt();
process.exitCode = await startTypeScript('test/mutations/main.ts', process.argv.slice(2), settings).ended;
