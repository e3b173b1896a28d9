import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const sha256 = (content) => createHash('sha256').update(content).digest('hex');

/** Writes SHA256SUMS for the files of a folder, in the format of `sha256sum -c`; returns its path. */
export function writeChecksums(folder) {
  const lines = readdirSync(folder)
    .toSorted()
    .map((name) => `${sha256(readFileSync(join(folder, name)))}  ${name}\n`);
  const file = join(folder, 'SHA256SUMS');
  writeFileSync(file, lines.join(''));
  return file;
}

/** The public keys that sign releases, in the format of ssh-keygen's allowed_signers. */
export const signersFile = 'deploy/release-signers';
const signer = 'release@stena';
const namespace = 'stena-release';

/** Why a private key must not sign a release; undefined if the signers list it. */
export function keyProblem(key, signers) {
  const folder = mkdtempSync(join(tmpdir(), 'stena-key-'));
  const probe = join(folder, 'probe');
  try {
    writeFileSync(probe, 'a release');
    sign(probe, key);
    verify(probe, signers);
    return undefined;
  } catch (error) {
    const why = String(error.stderr ?? error).trim();
    return `SIGNING_KEY cannot sign, or ${signersFile} does not name it (${why}). docs/release.md says what to write there.`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes FILE.sig with a private key of ssh-keygen. */
export function sign(file, key) {
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', namespace, file], { stdio: 'pipe' });
}

/** Throws unless FILE.sig is the signature of a signer. */
export function verify(file, signers) {
  execFileSync('ssh-keygen', ['-Y', 'verify', '-f', signers, '-I', signer, '-n', namespace, '-s', `${file}.sig`], {
    stdio: [openSync(file, 'r'), 'pipe', 'pipe'],
  });
}
