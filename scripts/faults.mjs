import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installDebianPackages } from './debian-package.mjs';
import { ensureInstalled } from './install.mjs';
import { startTypeScript } from './pinned-node.mjs';
import { ensureBuilt } from './web-build.mjs';

/** Programs that the faults need, by the Debian package that contains them. */
const programs = { 'nginx-light': 'nginx', haproxy: 'haproxy', openssl: 'openssl', pgbouncer: 'pgbouncer' };
const policy = '/usr/sbin/policy-rc.d';

await ensureInstalled();
await ensureBuilt();
const missing = Object.keys(programs).filter((name) => !isInstalled(programs[name]));
if (missing.length > 0) await withoutServices(() => installDebianPackages(...missing));
process.exitCode = await startTypeScript('test/faults/main.ts', process.argv.slice(2)).ended;

function isInstalled(program) {
  return [...process.env.PATH.split(delimiter), '/usr/sbin'].some((folder) => existsSync(join(folder, program)));
}

/** Prevents Debian from starting a server after its installation; a `policy-rc.d` that exits with 101 forbids it. */
async function withoutServices(install) {
  const isOurs = process.getuid?.() === 0 && !existsSync(policy);
  if (isOurs) writeFileSync(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await install();
  } finally {
    if (isOurs) rmSync(policy);
  }
}
