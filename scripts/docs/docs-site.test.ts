import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pages } from './pages.ts';
import { writeSite } from './write-site.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('every link and picture of the documentation leads to something', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stena-docs-'));
  try {
    await writeSite(folder);
    const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
    assert.deepEqual(
      readdirSync(folder)
        .filter((name) => name.endsWith('.html'))
        .toSorted(),
      pages.map(({ address }) => address).toSorted(),
    );
    for (const { address } of pages) {
      const links = [...read(address).matchAll(/ (?:href|src)="(?!https?:|mailto:)([^"]+)"/g)].map(([, link]) => link!);
      assert.ok(links.length > pages.length, `${address} has links`);
      for (const link of links) {
        const [file = '', hash] = link.split('#');
        assert.ok(existsSync(join(folder, file)), `${address}: ${link}`);
        if (hash)
          assert.match(read(file || address), new RegExp(` id="${decodeURIComponent(hash)}"`), `${address}: ${link}`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('every document that the program or its service names is there', () => {
  let named = 0;
  for (const folder of ['server', 'deploy']) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      for (const [document] of readFileSync(path, 'utf8').matchAll(/\bdocs\/[\w/-]+\.md\b/g)) {
        named += 1;
        assert.ok(existsSync(join(root, document)), `${path}: ${document}`);
      }
    }
  }
  assert.ok(named >= 5, 'names are found');
});
