import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { minify } from 'vite';
import { packClient } from '../scripts/client/pack-client.ts';
import { table } from '../contract/table.ts';
import { serveWall } from '../test/kit/served-wall.ts';
import { signedIn } from '../test/kit/signed-in.ts';

const root = join(import.meta.dirname, '..');
/** Minified and compressed with gzip, with all calls. */
const maxBytes = 5_500;

let folder: string;
let installed: string;

const run = (program: string, args: string[], env: NodeJS.ProcessEnv = {}): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } });

const compile = (file: string, ...options: string[]): string => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const common = [
    '--ignoreConfig',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--target',
    'esnext',
  ];
  const node = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  return run(process.execPath, [compiler, ...common, ...node, ...options, file]);
};

const writeProgram = (name: string, text: string): void => writeFileSync(join(folder, name), text);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stena-client-test-'));
  const tarball = await packClient('1.0.0', folder);
  writeProgram('package.json', '{ "private": true, "type": "module" }');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball]);
  installed = join(folder, 'node_modules/stena-client');
});
after(() => rmSync(folder, { recursive: true }));

test('the package has every call of the contract, and is small', async () => {
  const names = ['ApiError', 'createClient', ...table.map(({ name }) => name)];
  const entry = join(installed, 'index.js');
  assert.deepEqual(Object.keys(await import(pathToFileURL(entry).href)).toSorted(), names.toSorted());
  const { code } = await minify(entry, readFileSync(entry, 'utf8'), { module: true });
  assert.ok(gzipSync(code, { level: 9 }).length <= maxBytes);
});

test('its types are those of the contract', () => {
  writeProgram(
    'same-types.ts',
    `import * as published from 'stena-client';
     import * as own from '${join(root, 'client/index.ts')}';
     export const there: Pick<typeof published, keyof typeof own> = own;
     export const back: Pick<typeof own, keyof typeof published> = published;
     export type Posts = [own.Post, own.PostPage, own.Thread];
     export const posts = (all: Posts): [published.Post, published.PostPage, published.Thread] => all;`,
  );
  compile('same-types.ts', '--noEmit', '--allowImportingTsExtensions', '--skipLibCheck', '--lib', 'esnext,dom');
});

test('a program compiles with it, without any other package, and uses a wall', async () => {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const [, example] = /```ts\n(.*?)```/s.exec(readme)!;
  // The compiler must refuse a wrong call.
  const wrong = '// @ts-expect-error\nvoid (() => call(createPost, { body: { title: 1 } }));\n';
  writeProgram('program.ts', example! + wrong);
  compile('program.ts', '--lib', 'esnext');

  const wall = await serveWall('sqlite');
  try {
    const anna = await wall.person('anna_petrova');
    await wall.post(anna, 'первая');
    const { token } = await signedIn(wall.db, anna);
    const use = () => run(process.execPath, ['program.js'], { WALL: wall.address, TOKEN: token }).split('\n');
    const missing = 'NOT_FOUND 404 Ничего не найдено.';
    assert.deepEqual(use(), ['anna_petrova: первая', '2 0', missing, '']);
    // The key of the second run is the same.
    const feed = ['anna_petrova: Запись из программы', 'anna_petrova: первая'];
    assert.deepEqual(use(), [...feed, '2 0', missing, '']);
  } finally {
    await wall.close();
  }
});
