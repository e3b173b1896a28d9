import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';

const bytesMax = 2_000_000;

test('both READMEs show the film, which is small', () => {
  for (const name of ['README.md', 'README.en.md']) {
    const text = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
    assert.match(text, /\[!\[[^\]]+\]\(docs\/demo\.png\)\]\(docs\/demo\.webm\)/, name);
  }
  const film = new URL('../docs/demo.webm', import.meta.url);
  assert.ok(statSync(film).size <= bytesMax);
  // The magic number of Matroska, the container of WebM.
  assert.equal(readFileSync(film).readUInt32BE(), 0x1a45dfa3);
  assert.ok(statSync(new URL('../docs/demo.png', import.meta.url)).size < bytesMax / 4);
});

test('both READMEs name the two commands on the first screen', () => {
  for (const name of ['README.md', 'README.en.md']) {
    const lines = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')
      .split('\n')
      .slice(0, 25);
    for (const command of ['npm start', 'npm test'])
      assert.ok(
        lines.some((line) => line.startsWith(command)),
        name,
      );
  }
});
