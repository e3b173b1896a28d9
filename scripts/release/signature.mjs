import { execFileSync } from 'node:child_process';
import { openSync } from 'node:fs';

/** The public keys that sign releases, in the format of ssh-keygen's allowed_signers. */
export const signersFile = 'deploy/release-signers';
/** The command in docs/guide/install.md has the same two names. */
const signer = 'release@stena';
const namespace = 'stena-release';

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
