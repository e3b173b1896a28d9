import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pages } from './pages.ts';
import { writeSite } from './write-site.ts';

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
