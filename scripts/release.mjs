// [SIGNING_KEY=FILE] npm run release -- 1.0.0 [--untested]
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { run } from './child.mjs';
import { installDebianPackages, isInstalled } from './debian-package.mjs';
import { ensureInstalled } from './install.mjs';
import { fail, pinnedNode, root } from './project.mjs';
import { changelogProblem } from './release/changelog.mjs';
import { keyProblem, sign, signersFile, verify, writeChecksums } from './release/signature.mjs';
import { debianBase } from './release/debian-base.mjs';
import { makeImage } from './release/image.mjs';
import { packProgram, platforms } from './release/pack.mjs';
import { buildPlatform, exportProgram } from './release/program.mjs';
import { writeProvenance, writeSboms } from './release/sbom.mjs';
import { tryRelease } from './release/trial.mjs';
import { isTested } from './tested-commit.mjs';

/** Programs that a release needs, by the Debian package that contains them. */
const programs = {
  iproute2: 'ip',
  mmdebstrap: 'mmdebstrap',
  'openssh-client': 'ssh-keygen',
  skopeo: 'skopeo',
  umoci: 'umoci',
};

const [version, ...flags] = process.argv.slice(2);
// `--untested` makes the files of a release without testing them, so that anybody can compare them. The name of the folder says
// so, and the files are never signed.
const isUntested = flags.join() === '--untested';
const signingKey = process.env.SIGNING_KEY;
const problem = changelogProblem(version, join(root, 'CHANGELOG.md'));
if (problem) fail(problem);
if (process.getuid?.() !== 0) fail('A release is made and tried as root: the trial starts it in namespaces.');
if (git('status', '--porcelain') !== '')
  fail('A release contains only what is committed: commit or stash the changes.');
if (flags.length > 0 && !isUntested) fail(`Unknown: ${flags.join(' ')}`);
if (isUntested && signingKey) fail('What is not tested is not signed: leave out SIGNING_KEY.');
if (!isUntested && !isTested()) {
  fail(
    '`npm run test:all` has not passed for this commit. Run it here first, or build what is only compared: --untested.',
  );
}

// The umask determines the modes of packed files, and which files the users of the trial (the test of the release) can read.
process.umask(0o022);
await ensureInstalled();
const signers = join(root, signersFile);
const missing = Object.keys(programs).filter((name) => !isInstalled(programs[name]));
if (missing.length > 0) await installDebianPackages(...missing);
// The key is checked before half an hour of building. A release signed with another key could not be verified.
const foreignKey = signingKey && keyProblem(signingKey, signers);
if (foreignKey) fail(foreignKey);

const output = join(root, 'release', isUntested ? `${version}-untested` : version);
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
const work = mkdtempSync(join(tmpdir(), 'stena-release-'));
try {
  const release = {
    version,
    output,
    work,
    commit: git('rev-parse', 'HEAD'),
    madeAt: Number(git('log', '-1', '--format=%ct')),
  };
  const source = await exportProgram(release);
  const debs = [];
  for (const platform of Object.values(platforms)) {
    const base = debianBase(platform, join(work, `base-${platform.name}`));
    const program = buildPlatform(release, platform, source, base);
    writeSboms(release, platform, program, base);
    await packProgram(release, platform, program);
    makeImage(release, platform, program, base);
    debs.push(...base.debs);
  }
  const status = await run(pinnedNode, ['scripts/client/pack-client.ts', output]);
  if (status !== 0) fail('The package of the client could not be made.');
  writeProvenance(release, debs);
  const checksums = writeChecksums(output);
  if (signingKey) {
    sign(checksums, signingKey);
    verify(checksums, signers);
    // With the keys in this release people can verify the next one.
    copyFileSync(signers, join(output, basename(signersFile)));
  } else if (!isUntested) console.log('Without SIGNING_KEY the checksums are not signed: do not publish this release.');
  if (isUntested) console.log(`Not tested and not tried, only for comparing SHA256SUMS: ${output}`);
  else await tryRelease(release);
} finally {
  rmSync(work, { recursive: true, force: true });
}

function git(...args) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
}
