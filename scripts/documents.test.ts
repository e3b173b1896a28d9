import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { faults } from '../test/faults/faults.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const page = read('docs/asvs.md');
const rows = [...page.matchAll(/^\| ((?:\d+\.\d+\.\d+|[–, ])+) +\| [^|]+ \| ([^|]+) \|$/gm)];

/** The numbers of levels 1 and 2 of ASVS 5.0.0: how many each section has. None is skipped within a section. */
const sections =
  '1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4 5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2';
const expected = sections.split(' ').flatMap((section) => {
  const [name, count] = section.split(':');
  return Array.from({ length: Number(count) }, (_, i) => `${name}.${i + 1}`);
});

/** Items of one line, such as `- **42** Sentence. \`path\`, \`path\``. */
const promisesIn = (text: string) =>
  [...text.matchAll(/^- \*\*.*$/gm)].map(([line]) => {
    const [, number, tests] = /^- \*\*(\d+)\*\* .+?\. ((?:`[^`]+`(?:, |$))+)$/.exec(line) ?? assert.fail(line);
    return { number: Number(number), tests: [...tests!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!) };
  });
const promises = promisesIn(read('docs/reliability.md'));

/** The numbers of a cell, such as `6.2.1–6.2.12, 6.3.1`. */
const numbersIn = (cell: string): string[] =>
  cell.split(', ').flatMap((part) => {
    const [, section = '', from = '', to = from] = /^(\d+\.\d+)\.(\d+)(?:–\d+\.\d+\.(\d+))?$/.exec(part.trim())!;
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => `${section}.${Number(from) + i}`);
  });

test('every requirement of ASVS 5.0, levels 1 and 2, has one verdict', () => {
  assert.equal(expected.length, 253);
  const collator = new Intl.Collator('en', { numeric: true });
  const listed = rows.flatMap(([, cell]) => numbersIn(cell!));
  assert.deepEqual(listed.toSorted(collator.compare), expected.toSorted(collator.compare));
  for (const [, cell, verdict] of rows) assert.match(verdict!, /^(met|n\/a|operator|not met)\b/, cell!);
});

test('the first lines name what is not met', () => {
  const named = /^Not met are \w+: ([^]*?)\.$/m
    .exec(page)![1]!
    .replace(' (by the letter)', '')
    .split(/, | and /);
  const notMet = rows.filter(([, , verdict]) => verdict!.startsWith('not met')).map(([, cell]) => cell!.trim());
  assert.deepEqual(named, notMet);
});

test('every file and promise that the verdicts name exists', () => {
  const numbers = new Set(promises.map(({ number }) => number));
  const names = page.matchAll(/`((?:server|web|test|docs|deploy|scripts|contract)\/[\w./-]*)`/g);
  const paths = [...names].map(([, path]) => path!);
  assert.ok(paths.length > 40);
  for (const path of paths) assert.ok(existsSync(join(root, path)), path);
  const named = [...page.matchAll(/promises? ((?:\d+|–|, | and )+)/g)].flatMap(([, list]) => list!.match(/\d+/g)!);
  assert.ok(named.length > 60);
  for (const number of named) assert.ok(numbers.has(Number(number)), number);
});

test('every promise names tests and faults that exist, and a section has its promises in order', () => {
  assert.ok(promises.length > 100);
  assert.equal(new Set(promises.map(({ number }) => number)).size, promises.length);
  const known = new Set(faults.map(({ name }) => name));
  for (const { number, tests } of promises) {
    for (const name of tests) {
      const isOfRoot = /^(contract|scripts|test|web)\//.test(name);
      const exists = /[/.]/.test(name) ? existsSync(join(root, isOfRoot ? '' : 'server', name)) : known.has(name);
      assert.ok(exists, `promise ${number}: ${name}`);
    }
  }
  for (const section of read('docs/reliability.md').split(/^## /m)) {
    const numbers = promisesIn(section).map(({ number }) => number);
    assert.deepEqual(
      numbers,
      numbers.toSorted((a, b) => a - b),
    );
  }
});

test('both READMEs name the two commands on the first screen', () => {
  for (const name of ['README.md', 'README.en.md']) {
    const screen = read(name).split('\n').slice(0, 25).join('\n');
    for (const command of [/^npm start/m, /^npm test/m]) assert.match(screen, command, name);
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
    const text = read(document);
    for (const [, path = '', hash = ''] of text.matchAll(/\]\((?!https?:|mailto:)([^)#]*)#?([^)]*)\)/g)) {
      const file = path === '' ? join(root, document) : join(root, dirname(document), path);
      assert.ok(existsSync(file), `${document}: ${path}`);
      if (hash !== '') assert.ok(headingsOf(file).includes(hash), `${document}: ${path}#${hash}`);
    }
  }
});

/** The anchors of headings, as GitHub and the site make them. */
const headingsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );

const { costPicture, readRun, sizePicture } = (await import(import.meta.resolve('./draw-figures.mjs'))) as {
  costPicture: (run: object) => string;
  readRun: (name: string) => object;
  sizePicture: (run: object) => string;
};

test('the pictures of the figures are drawn from the committed runs', () => {
  assert.equal(read('docs/figures/cost.svg'), costPicture(readRun('bench')));
  assert.equal(read('docs/figures/size.svg'), sizePicture(readRun('wall-size')));
});
