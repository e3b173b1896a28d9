import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

const script = `
  process.getuid = () => 0;
  const { installDebianPackages } = await import(${JSON.stringify(import.meta.resolve('./debian-package.mjs'))});
  await installDebianPackages('libatomic1');
`;

/** The output when root installs a package, with an apt-get that only prints its arguments. */
function install(t: TestContext, NODE_ENV?: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'stena-apt-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'apt-get'), '#!/bin/sh\necho "apt-get $*" >&2\n', { mode: 0o755 });
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: `${folder}:${process.env['PATH']}`, ...(NODE_ENV && { NODE_ENV }) },
    encoding: 'utf8',
  });
  return stderr.trim().split('\n').filter(Boolean);
}

test('announces the installation and installs only the requested package', (t) => {
  assert.deepEqual(install(t), [
    'Installing libatomic1 with apt-get…',
    'apt-get update -q',
    'apt-get install -q -y --no-install-recommends libatomic1',
  ]);
});

test('installs nothing with NODE_ENV=production', (t) => {
  assert.deepEqual(install(t, 'production'), []);
});
