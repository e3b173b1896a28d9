import { execFileSync } from 'node:child_process';
import { openSync } from 'node:fs';

/** Whose signatures count, in the format of allowed_signers of ssh-keygen. The private keys are not in the repository. */
export const signersFile = 'deploy/release-signers';
/** Both stand in the command that operators run (docs/guide/install.md). */
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
