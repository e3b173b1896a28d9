import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { version as built } from '../../server/version.ts';

// The scripts are plain JavaScript without types.
const load = async (name: string) =>
  (await import(import.meta.resolve(name))) as Record<string, (...args: never[]) => unknown>;
const { changelogProblem } = (await load('./changelog.mjs')) as {
  changelogProblem(version: string, file: string): string | undefined;
};
const { archive } = (await load('./pack.mjs')) as {
  archive(file: string, folder: string, names: string[], madeAt: number): void;
};
const { writeProvenance } = (await load('./sbom.mjs')) as {
  writeProvenance(release: { output: string; version: string; commit: string }, debs: string[]): void;
};
const { keyProblem, sign, verify } = (await load('./signature.mjs')) as {
  keyProblem(key: string, signers: string): string | undefined;
  sign(file: string, key: string): void;
  verify(file: string, signers: string): void;
};
const { noteVersion } = (await load('../build-version.mjs')) as { noteVersion(folder: string): void };
const { machinesIn } = (await load('./elf.mjs')) as { machinesIn(folder: string): Map<number, string[]> };

const launcher = join(import.meta.dirname, '../../stena');
const run = (...args: string[]) =>
  spawnSync(launcher, args, { encoding: 'utf8', env: { PATH: process.env['PATH'], PORT: '1' } });

function folderFor(t: { after(done: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'stena-release-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('a version is released when the changelog has a dated section for it', (t) => {
  const file = join(folderFor(t), 'CHANGELOG.md');
  const problemWith = (text: string, version = '1.0.0') => {
    writeFileSync(file, text);
    return changelogProblem(version, file);
  };
  assert.equal(
    problemWith('## [Unreleased]\n\n## [1.0.0] - 2026-11-21\n\n- all\n\n## [0.9.0] - 2026-01-01\n'),
    undefined,
  );
  for (const head of [
    '## [Unreleased]',
    '## [1.0.0]',
    '## [1x0.0] - 2026-11-21',
    '## [1.0.0] - 2026-11-21\n\n## [0.9.0] - 2026-01-01',
  ]) {
    const lacking = /^CHANGELOG\.md has no section “## \[1\.0\.0\] - YYYY-MM-DD”/;
    assert.match(problemWith(`${head}\n\n- all\n`) ?? '', lacking);
  }
  assert.equal(problemWith('## [Unreleased]\n', '1.0.0-rc.1'), undefined);
  for (const version of ['', '1.0', 'v1.0.0', '01.0.0', '1.0.0-rc/1']) {
    assert.match(changelogProblem(version, file) ?? '', /^Usage:/, version);
  }
});

test('an archive of the same files has the same bytes', (t) => {
  const [one, other] = [folderFor(t), folderFor(t)];
  for (const [folder, names] of [
    [one, ['b', 'a']],
    [other, ['a', 'b']],
  ] as const) {
    for (const name of names) writeFileSync(join(folder, name), name, { mode: folder === one ? 0o600 : 0o644 });
    utimesSync(join(folder, 'a'), 1, folder === one ? 1 : 2);
    archive(`${folder}/made.tar`, folder, ['a', 'b'], 1_700_000_000);
  }
  assert.deepEqual(readFileSync(join(one, 'made.tar')), readFileSync(join(other, 'made.tar')));
});

test('the provenance names the files, the commit and the packages, and is the same each time', (t) => {
  const made = [folderFor(t), folderFor(t)].map((output) => {
    writeFileSync(join(output, 'b'), 'b');
    writeFileSync(join(output, 'a'), 'a');
    writeProvenance({ output, version: '1.0.0', commit: 'c0ffee' }, ['dash_1_amd64.deb', 'dash_1_amd64.deb']);
    return readFileSync(join(output, 'stena-1.0.0.provenance.json'), 'utf8');
  });
  assert.equal(made[0], made[1]);
  const { subject, predicate } = JSON.parse(made[0]!);
  assert.deepEqual(subject[0], {
    name: 'a',
    digest: { sha256: 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb' },
  });
  const [source, lock, ...packages] = predicate.buildDefinition.resolvedDependencies;
  assert.deepEqual(
    [source.digest.gitCommit, lock.name, packages],
    ['c0ffee', 'package-lock.json', [{ name: 'dash_1_amd64.deb' }]],
  );
});

test('checksums are signed, and neither other checksums nor another key pass', (t) => {
  const folder = folderFor(t);
  const sums = join(folder, 'SHA256SUMS');
  const signersOf = (name: string): string => {
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', join(folder, name)]);
    const signers = join(folder, `${name}.signers`);
    const [type, key] = readFileSync(join(folder, `${name}.pub`), 'utf8').split(' ');
    writeFileSync(signers, `release@stena namespaces="stena-release" ${type} ${key!.trim()}\n`);
    return signers;
  };
  const [own, other] = [signersOf('own'), signersOf('other')];
  assert.equal(keyProblem(join(folder, 'own'), own), undefined);
  assert.match(keyProblem(join(folder, 'own'), other)!, /deploy\/release-signers does not name it/);
  assert.match(keyProblem(join(folder, 'none'), own)!, /SIGNING_KEY cannot sign/);
  const shipped = join(launcher, '../deploy/release-signers');
  assert.match(keyProblem(join(folder, 'own'), shipped)!, /does not name it/);
  const lines = readFileSync(shipped, 'utf8').trim().split('\n');
  const guide = readFileSync(join(launcher, '../docs/guide/install.md'), 'utf8');
  assert.equal(
    guide.includes('ssh-keygen -Y verify'),
    lines.some((line) => !line.startsWith('#')),
  );
  for (const line of lines) {
    assert.match(line, /^(#.*|release@stena namespaces="stena-release"(,valid-before="\d{8}")? ssh-ed25519 AAAA\S+)$/);
  }
  writeFileSync(sums, 'one  a\n');
  sign(sums, join(folder, 'own'));
  verify(sums, own);
  assert.throws(() => verify(sums, other));
  writeFileSync(sums, 'two  a\n');
  assert.throws(() => verify(sums, own));
});

test('tells for which machine a program was made', (t) => {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'text'), 'short');
  const header = Buffer.from('7f454c4602010100000000000000000003003e00', 'hex');
  writeFileSync(join(folder, 'program'), Buffer.concat([header, Buffer.alloc(100)]));
  assert.deepEqual([...machinesIn(folder).keys()], [62]);
});

test('a checkout says of which commit it was built, unless it is a release', (t) => {
  const folder = folderFor(t);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
      cwd: folder,
      encoding: 'utf8',
    }).trim();
  copyFileSync(launcher, join(folder, 'stena'));
  mkdirSync(join(folder, 'dist'));
  writeFileSync(join(folder, 'package.json'), '{\n  "name": "stena",\n  "version": "1.2.3",\n  "private": true\n}\n');
  // The image has a shell but none of the usual programs, so `PATH` leads to none.
  const said = () => {
    noteVersion(folder);
    const env = { PATH: '/nowhere' };
    const { stdout, stderr } = spawnSync('/bin/sh', [join(folder, 'stena'), '--version'], { encoding: 'utf8', env });
    return stdout + stderr;
  };
  assert.equal(said(), '1.2.3\n', 'without a repository');
  git('init', '--quiet');
  git('add', 'stena');
  git('commit', '--quiet', '--message=one');
  assert.equal(said(), `1.2.3+${git('rev-parse', '--short=8', 'HEAD')}\n`);
  git('tag', 'v1.2.3');
  assert.equal(said(), '1.2.3\n');
});

test('the launcher runs the commands with the options of the server, from anywhere', (t) => {
  const scripts = readFileSync(join(import.meta.dirname, '../pinned-node.mjs'), 'utf8');
  const options = [...scripts.matchAll(/^ {2}'(--\S+)',$/gm)].map(([, option]) => option);
  assert.equal(options.length, 3);
  assert.ok(readFileSync(launcher, 'utf8').includes(`exec "$node" ${options.join(' ')} `));
  const link = join(folderFor(t), 'stena');
  symlinkSync(launcher, link);
  const help = spawnSync(link, ['admin', 'help'], { encoding: 'utf8', cwd: '/', env: { PATH: process.env['PATH'] } });
  assert.deepEqual([help.status, help.stderr], [0, '']);
  assert.match(help.stdout, /^Для того, кто держит машину/);
  const unknown = run('nonsense');
  assert.deepEqual([unknown.status, unknown.stdout], [2, '']);
  assert.match(unknown.stderr, /^stena +сервер$/m);
  const asked = run('--help');
  assert.deepEqual([asked.status, asked.stdout, asked.stderr], [0, unknown.stderr, '']);
  assert.equal(run('--version').stdout, `${built}\n`);
  const health = run('health');
  assert.equal(health.status, 1);
  assert.match(health.stderr, /^http:\/\/127\.0\.0\.1:1\/readyz не отвечает \(bad port\)\.\n$/);
});
