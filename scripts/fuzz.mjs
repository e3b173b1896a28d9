import { ensureInstalled } from './install.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { ensureBuilt } from './web-build.mjs';

await ensureInstalled();
await ensureBuilt();
process.exitCode = await startTypeScript('test/fuzz/main.ts', process.argv.slice(2)).ended;
