import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { minify } from 'vite';
import { calls } from '../contract/calls.ts';
import { packClient } from '../scripts/client/pack-client.ts';
import { serveWall } from '../test/kit/served-wall.ts';
import { signedIn } from '../test/kit/signed-in.ts';
import { createClient, usesToken } from './create-client.ts';

const root = join(import.meta.dirname, '..');
/** Maximum size of the client, minified and compressed with gzip. */
const maxBytes = 1_900;

let folder: string;
let installed: string;

const run = (program: string, args: string[], env: NodeJS.ProcessEnv = {}): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env } });

const compile = (file: string, ...options: string[]): string => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const common = '--ignoreConfig --strict --exactOptionalPropertyTypes --module nodenext --target esnext'.split(' ');
  const node = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  return run(process.execPath, [compiler, ...common, ...node, ...options, file]);
};

const writeProgram = (name: string, text: string): void => writeFileSync(join(folder, name), text);

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stena-client-test-'));
  const tarball = await packClient(folder);
  writeProgram('package.json', '{ "private": true, "type": "module" }');
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--silent', tarball]);
  installed = join(folder, 'node_modules/stena-client');
});
after(() => rmSync(folder, { recursive: true }));

test('the package is a function and an error, and is small', async () => {
  const entry = join(installed, 'index.js');
  assert.deepEqual(Object.keys(await import(pathToFileURL(entry).href)).toSorted(), ['ApiError', 'createClient']);
  const { code } = await minify(entry, readFileSync(entry, 'utf8'), { module: true });
  assert.ok(gzipSync(code, { level: 9 }).length <= maxBytes);
});

test('its types are those of the contract', () => {
  writeProgram(
    'same-types.ts',
    `import * as published from 'stena-client';
     import * as own from '${join(root, 'client/index.ts')}';
     import type { Calls } from '${join(root, 'contract/calls.ts')}';
     import type { Post, PostPage, Thread } from '${join(root, 'contract/posts.ts')}';
     export const there: typeof published.ApiError = own.ApiError;
     export const back: typeof own.ApiError = published.ApiError;
     type Options<Client> = Client extends (options?: infer Given) => unknown ? Given : never;
     type OwnOptions = Options<typeof own.createClient>;
     export const given = (all: OwnOptions): Options<typeof published.createClient> => all;
     export const givenBack = (all: Options<typeof published.createClient>): OwnOptions => all;
     export const calls = (all: Calls): published.Calls => all;
     export const callsBack = (all: published.Calls): Calls => all;
     export type Posts = [Post, PostPage, Thread];
     export const posts = (all: Posts): [published.Post, published.PostPage, published.Thread] => all;`,
  );
  compile('same-types.ts', '--noEmit', '--allowImportingTsExtensions', '--skipLibCheck', '--lib', 'esnext,dom');
});

test('a program compiles with it, without any other package, and uses a wall', async () => {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  const [, example] = /```ts\n(.*?)```/s.exec(readme)!;
  // The compiler must refuse a wrong call.
  const wrong = '// @ts-expect-error\nvoid (() => call("POST /posts", { body: { title: 1 } }));\n';
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
    // The second run has the same idempotency key, so it publishes nothing.
    const feed = ['anna_petrova: Запись из программы', 'anna_petrova: первая'];
    assert.deepEqual(use(), [...feed, '2 0', missing, '']);
  } finally {
    await wall.close();
  }
});

test('a client sends what a call needs, and the token only where it is used', async () => {
  const sent: unknown[] = [];
  const fetch = async (url: string, { method, headers, body }: RequestInit) => {
    sent.push([`${method} ${url}`, headers, body]);
    return Response.json({});
  };
  const call = createClient({
    baseUrl: 'https://wall.example',
    token: 'secret',
    fetch: fetch as typeof globalThis.fetch,
  });
  const authorization = 'Bearer secret';
  const device = { userAgent: '', userAgentVersion: '', os: '' };
  const type = { 'content-type': 'application/json' };

  await call('GET /posts', { query: { limit: '5', cursor: 'я' } });
  await call('GET /users/current', {});
  await call('POST /posts', { body: { text: 'да' }, headers: { 'idempotency-key': 'once' } });
  await call('PATCH /sessions/current', { body: { clientToken: 'client' } });
  await call('POST /registrations', { body: { email: 'a@b', clientToken: 'client', device } });
  assert.deepEqual(sent, [
    ['GET https://wall.example/api/v1/posts?limit=5&cursor=%D1%8F', { authorization }, undefined],
    ['GET https://wall.example/api/v1/users/current', { authorization }, undefined],
    ['POST https://wall.example/api/v1/posts', { 'idempotency-key': 'once', authorization, ...type }, '{"text":"да"}'],
    ['PATCH https://wall.example/api/v1/sessions/current', type, '{"clientToken":"client"}'],
    [
      'POST https://wall.example/api/v1/registrations',
      type,
      JSON.stringify({ email: 'a@b', clientToken: 'client', device }),
    ],
  ]);
});

test('a call does without the token exactly where the contract has another way in', () => {
  for (const [call, { access }] of Object.entries(calls)) {
    const isRead = call.startsWith('GET ');
    const uses = access === 'public' ? isRead : access !== 'cookie' || call.startsWith('DELETE ');
    assert.equal(usesToken(call), uses, call);
  }
});

test('a refusal is an error with the code, the message and the time to wait', async () => {
  const respond = (body: unknown, init: ResponseInit) =>
    createClient({ fetch: async () => new Response(body as string, init) })('GET /posts', { query: {} });
  const limited = { code: 'TOO_MANY_REQUESTS', message: 'Слишком много запросов.' };
  await assert.rejects(respond(JSON.stringify(limited), { status: 429, headers: { 'retry-after': '40' } }), {
    ...limited,
    status: 429,
    retryAfter: 40,
  });
  await assert.rejects(respond('<h1>Bad Gateway</h1>', { status: 502 }), {
    code: 'INTERNAL',
    status: 502,
    retryAfter: null,
  });
});

test('a missing network, an aborted call and a late response are told apart', async (t) => {
  const failing = (reason: unknown) => createClient({ fetch: () => Promise.reject(reason) });
  await assert.rejects(failing(new TypeError('fetch failed'))('GET /posts', { query: {} }), {
    code: 'OFFLINE',
    message: 'Сервер не отвечает. Попробуйте ещё раз чуть позже.',
    status: 0,
  });
  const reason = new TypeError('no longer needed');
  await assert.rejects(failing(reason)('GET /posts', { query: {}, signal: AbortSignal.abort(reason) }), reason);
  t.mock.method(AbortSignal, 'timeout', () => AbortSignal.abort());
  await assert.rejects(failing(new Error('aborted'))('GET /posts', { query: {} }), { code: 'TIMEOUT', status: 0 });
});
