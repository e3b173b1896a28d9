import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { installDebianPackages, isInstalled } from './debian-package.mjs';

/** Programs that the faults and the test of the alerts need, by the Debian package that contains them. */
const programs = {
  'nginx-light': 'nginx',
  haproxy: 'haproxy',
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

/** Installs missing programs on Debian as root. None of them is started. */
export async function ensureFaultPrograms() {
  const missing = Object.keys(programs).filter((name) => !isInstalled(programs[name]));
  if (missing.length > 0 && process.getuid?.() === 0) await restrained(() => installDebianPackages(...missing));
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
