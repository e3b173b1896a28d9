import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

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
