import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './child.mjs';
import { installDebianPackages, isInstalled } from './debian-package.mjs';
import { hostEnv, root } from './project.mjs';

/** Programs that the faults and the test of the alerts need, by the Debian package that contains them. */
const programs = {
  'nginx-light': 'nginx',
  haproxy: 'haproxy',
  caddy: 'caddy',
  openssl: 'openssl',
  pgbouncer: 'pgbouncer',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  patroni: 'patroni',
  'etcd-server': 'etcd',
  iproute2: 'ip',
  prometheus: 'promtool',
};

/** Files that exist during an installation. A `policy-rc.d` that exits with 101 forbids Debian to start services. */
const restraints = {
  '/usr/sbin/policy-rc.d': '#!/bin/sh\nexit 101\n',
  '/etc/postgresql-common/createcluster.d/none.conf': 'create_main_cluster = false\n',
};

/** Litestream is in no package of Debian. */
const litestream = '@flydotio/litestream-linux-x64@1.0.1';

/** Installs missing programs: Litestream with npm, the others on Debian as root. None of them is started. */
export async function ensureFaultPrograms() {
  await ensureLitestream();
  const missing = Object.keys(programs).filter((name) => !isInstalled(programs[name]));
  if (missing.length > 0 && process.getuid?.() === 0) await restrained(() => installDebianPackages(...missing));
}

async function ensureLitestream() {
  const folder = join(root, 'node_modules/.cache/litestream');
  const program = join(folder, 'node_modules/@flydotio/litestream-linux-x64/litestream');
  if (process.platform !== 'linux' || process.arch !== 'x64' || existsSync(program)) return;
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error', litestream], {
    env: hostEnv,
  });
}

async function restrained(install) {
  const ours = Object.keys(restraints).filter((file) => !existsSync(file));
  for (const file of ours) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, restraints[file], { mode: 0o755 });
  }
  try {
    await install();
  } finally {
    for (const file of ours) rmSync(file);
  }
}
