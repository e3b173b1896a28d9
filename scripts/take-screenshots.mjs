import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { ensureBuilt } from './web-build.mjs';

await ensureInstalled();
await ensureBuilt();
const settings = { CHROMIUM: await ensureChromium() };
process.exitCode = await startTypeScript('test/screenshots/main.ts', [], settings).ended;
