import { ensureInstalled } from './install.mjs';
import { startTypeScript } from './pinned-node.mjs';

const [file, ...args] = process.argv.slice(2);

await ensureInstalled({ production: process.env.NODE_ENV === 'production' });
process.exitCode = await startTypeScript(file, args).ended;
