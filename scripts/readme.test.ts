import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

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

test('every link of the documentation to another file leads to it', () => {
  const guides = readdirSync(join(root, 'docs/guide')).map((name) => `docs/guide/${name}`);
  for (const document of ['README.md', 'README.en.md', 'docs/reliability.md', 'docs/scale.md', ...guides]) {
    const text = readFileSync(join(root, document), 'utf8');
    for (const [, path = '', hash = ''] of text.matchAll(/\]\((?!https?:|mailto:)([^)#]*)#?([^)]*)\)/g)) {
      const file = path === '' ? join(root, document) : join(root, dirname(document), path);
      assert.ok(existsSync(file), `${document}: ${path}`);
      if (hash !== '') assert.ok(headingsOf(file).includes(hash), `${document}: ${path}#${hash}`);
    }
  }
});

/** As GitHub and the site name them. */
const headingsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
