import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../project.mjs';

const suite = 'trixie';
const sources = [
  `deb http://deb.debian.org/debian ${suite} main`,
  `deb http://deb.debian.org/debian-security ${suite}-security main`,
];

/** Packages that the program needs beside Node: a shell for its launcher, and pg_dump for backups. */
const packages = ['base-files', 'dash', 'libatomic1', 'libstdc++6', 'postgresql-client-17'];

/** Dependencies of these packages that are not used: pg_dump is called by its own path, not through Debian's wrapper in Perl. */
const unusedPackages = /^(debianutils|libperl|mawk|perl|postgresql-client-common|sensible-utils)/;
const unusedData = ['info', 'lintian', 'locale', 'man', 'perl', 'perl5', 'postgresql-common'];

/** The folder of PostgreSQL's own programs on Debian. */
export const postgresPath = '/usr/lib/postgresql/17/bin';

/**
 * Makes the system below the image from Debian's packages. The packages are only unpacked and not run, so they may be for another
 * machine, and no container is needed. mmdebstrap checks their signatures. Returns the folder, its libraries, and the file names of
 * the packages.
 */
export function debianBase({ debian, library }, folder) {
  const debs = unpack(debian, packages, folder).filter((name) => !unusedPackages.test(name));
  const libraries = join(folder, 'usr/lib', library);
  remove(join(folder, 'usr/share'), (name) => unusedData.includes(name));
  remove(join(folder, 'usr/bin'), (name) => name !== 'dash' && name !== 'sh');
  remove(join(folder, 'usr/sbin'), () => true);
  remove(libraries, (name) => /^(lib)?perl/.test(name));
  // The licences are kept.
  const documents = join(folder, 'usr/share/doc');
  for (const name of readdirSync(documents)) remove(join(documents, name), (file) => file !== 'copyright');
  return { folder, debs, libraries };
}

function remove(folder, isUnused) {
  if (!statSync(folder).isDirectory()) return;
  for (const name of readdirSync(folder).filter(isUnused)) rmSync(join(folder, name), { recursive: true });
}

/** Unpacks packages of Debian with their dependencies; returns the names of their files. */
export function unpack(architecture, names, folder, from = { suite, sources }) {
  const list = `${folder}.debs`;
  const args = [
    '--quiet',
    '--mode=root',
    '--variant=extract',
    `--arch=${architecture}`,
    `--include=${names.join(',')}`,
    '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr',
    `--extract-hook=ls "$1/var/cache/apt/archives" > ${list}`,
    from.suite,
    folder,
    ...from.sources,
  ];
  const { status, stderr } = spawnSync('mmdebstrap', args, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) fail(`${stderr}\nThe packages of Debian could not be unpacked.`);
  return readFileSync(list, 'utf8')
    .split('\n')
    .filter((name) => name.endsWith('.deb'));
}
