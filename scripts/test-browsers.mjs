import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { runWalk } from './walk.mjs';
import { ensureBuilt } from './web-build.mjs';

await ensureInstalled();
await ensureBuilt();
const reports = mkdtempSync(join(tmpdir(), 'stena-walk-'));
const { passed, failed } = await runWalk(join(reports, 'walk.json'), process.argv.slice(2));
rmSync(reports, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
