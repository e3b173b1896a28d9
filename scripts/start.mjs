import { ensureInstalled } from './install.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { ensureBuilt, isBuilt } from './web-build.mjs';

await ensureInstalled({ production: process.env.NODE_ENV === 'production' && isBuilt() });
await ensureBuilt();
process.exitCode = await startTypeScript('server/main.ts').ended;
