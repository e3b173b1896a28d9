import { ensureFaultPrograms } from './fault-programs.mjs';
import { ensureInstalled } from './install.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { ensureBuilt } from './web-build.mjs';

await ensureInstalled();
await ensureBuilt();
await ensureFaultPrograms();
process.exitCode = await startTypeScript('test/faults/main.ts', process.argv.slice(2)).ended;
