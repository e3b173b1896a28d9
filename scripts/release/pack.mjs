import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/** The platforms of a release, with the name of each in Node, Debian, OCI, the C library and ELF headers. */
export const platforms = {
  x64: { name: 'linux-x64', cpu: 'x64', debian: 'amd64', oci: 'amd64', library: 'x86_64-linux-gnu', elf: 62 },
  arm64: { name: 'linux-arm64', cpu: 'arm64', debian: 'arm64', oci: 'arm64', library: 'aarch64-linux-gnu', elf: 183 },
};

export const tarballOf = ({ output, version }, { name }) => join(output, `stena-${version}-${name}.tar.gz`);

/** Makes the tarball of a program. `tar xf` unpacks it into one folder, named after the version. */
export async function packProgram(release, platform, folder) {
  const tar = `${folder}.tar`;
  archive(tar, dirname(folder), [basename(folder)], release.madeAt);
  await compress(tar, tarballOf(release, platform));
  return tar;
}

/**
 * Writes an archive that has the same bytes for the same files: names are sorted, the time is that of the commit, and the owner does
 * not depend on who makes the archive.
 */
export function archive(file, folder, names, madeAt, { owner = 0, append = false, options = [] } = {}) {
  execFileSync('tar', [
    append ? '--append' : '--create',
    `--file=${file}`,
    '--format=gnu',
    '--sort=name',
    `--mtime=@${madeAt}`,
    `--owner=${owner}`,
    `--group=${owner}`,
    '--numeric-owner',
    '--mode=u+rwX,go+rX,go-w',
    '--hard-dereference',
    ...options,
    `--directory=${folder}`,
    ...names,
  ]);
}

/** Compresses a file. Node writes neither a name nor a time into the header, so the result is reproducible. */
function compress(from, to) {
  return pipeline(createReadStream(from), createGzip(), createWriteStream(to));
}
