import { ensureChromium } from './browsers.mjs';
import { ensureFaultPrograms } from './fault-programs.mjs';
import { ensureInstalled } from './install.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { ensureBuilt } from './web-build.mjs';

// Starts a program in test/, such as the benchmarks, after the build and after what it needs besides.
const [name, ...args] = process.argv.slice(2);
const chromium = async () => ({ CHROMIUM: await ensureChromium() });
const needs = { bench: chromium, screenshots: chromium, faults: ensureFaultPrograms };

await ensureInstalled();
await ensureBuilt();
const settings = (await needs[name]?.()) || {};
process.exitCode = await startTypeScript(`test/${name}/main.ts`, args, settings).ended;
