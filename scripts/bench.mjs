import { ensureChromium } from './chromium.mjs';
import { ensureInstalled } from './install.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { ensureBuilt } from './web-build.mjs';

const args = process.argv.slice(2);
/** Two runs that are only compared need neither. */
const measures = !args.includes('--with');

await ensureInstalled();
if (measures) await ensureBuilt();
const settings = measures ? { CHROMIUM: await ensureChromium() } : {};
process.exitCode = await startTypeScript('test/bench/main.ts', args, settings).ended;
