import { ensureChromium } from './chromium.mjs';
import { installDebianPackages, isInstalled } from './debian-package.mjs';
import { ensureInstalled } from './install.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { ensureBuilt } from './web-build.mjs';

await ensureInstalled();
await ensureBuilt();
if (!isInstalled('ffmpeg')) await installDebianPackages('ffmpeg');
const settings = { CHROMIUM: await ensureChromium() };
process.exitCode = await startTypeScript('test/pictures/main.ts', process.argv.slice(2), settings).ended;
