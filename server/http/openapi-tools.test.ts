import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openWall } from '../../test/kit/wall.ts';

const run = promisify(execFile);

/** Runs a program of a package with this version of Node, which must find nothing to complain about. */
async function runPackage(program: string, ...args: string[]): Promise<void> {
  const path = fileURLToPath(new URL(`../../node_modules/${program}`, import.meta.url));
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' };
  await run(process.execPath, [path, ...args], { env }).catch(({ stdout, stderr }: Record<string, string>) =>
    assert.fail(`${stdout}${stderr}`),
  );
}

const strictly = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    target: 'es2025',
    lib: ['esnext', 'dom'],
    module: 'nodenext',
    types: [],
    allowImportingTsExtensions: true,
    noEmit: true,
  },
};

/** What a program that uses the API does. `@ts-expect-error` fails where the types would accept a mistake. */
const program = `
import type { components, operations, paths } from './api.ts';

type Reply<Name extends keyof operations> = operations[Name]['responses'] extends {
  200: { content: { 'application/json': infer Json } };
} ? Json : never;
type Query = NonNullable<paths['/api/v1/posts']['get']['parameters']['query']>;
type Post = components['schemas']['Post'];
type Failure = components['schemas']['Error'];

async function get(path: string): Promise<unknown> {
  const response = await fetch('https://wall.example/api/v1' + path, { headers: { authorization: 'Bearer …' } });
  const json: unknown = await response.json();
  if (!response.ok) throw new Error(explain(json as Failure, response.headers));
  return json;
}

function explain({ code, message }: Failure, headers: Headers): string {
  if (code === 'TOO_MANY_REQUESTS') return 'again in ' + headers.get('retry-after') + ' s';
  // @ts-expect-error There is no such code.
  if (code === 'TOO_FEW_REQUESTS') return '';
  return message;
}

export async function readFeed(): Promise<string[]> {
  const query: Query = { limit: 50 };
  // @ts-expect-error The name of a filter is wrong.
  query.filter = 'loved';
  const { posts, next } = (await get('/posts?limit=' + query.limit)) as Reply<'listPosts'>;
  const cursor: string | null = next;
  return [...posts.map(({ owner, text }) => owner.username + ': ' + text), String(cursor)];
}

export async function readThread(id: Post['id']): Promise<number> {
  const { replies } = (await get('/posts/' + id + '/thread')) as Reply<'getThread'>;
  const count = (nodes: typeof replies): number =>
    nodes.reduce((sum, node) => sum + (node.post?.actions.likes_count ?? 0) + count(node.replies), 0);
  return count(replies);
}

export async function publish(text: string): Promise<Post> {
  const body: operations['createPost']['requestBody']['content']['application/json'] = { text };
  // @ts-expect-error A text is required.
  const empty: typeof body = {};
  const init = { method: 'POST', body: JSON.stringify(body ?? empty) };
  const created = await (await fetch('https://wall.example/api/v1/posts', init)).json();
  return created as operations['createPost']['responses'][201]['content']['application/json'];
}

export async function wordsFound(q: string): Promise<string[]> {
  const { posts, highlights } = (await get('/posts/search?q=' + q)) as Reply<'searchPosts'>;
  return posts.flatMap(({ text }, i) => highlights[i]!.map(([from, to]) => text.slice(from, to)));
}
`;

describe('the OpenAPI document', () => {
  let folder: string;
  let description: string;
  before(async () => {
    await using wall = await openWall('sqlite', { PUBLIC_URL: 'https://wall.ru' });
    description = (await wall.get('/api/v1/openapi.json')).text;
    folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    await writeFile(join(folder, 'openapi.json'), description);
  });
  after(() => rm(folder, { recursive: true }));

  test('satisfies every rule that Redocly recommends, without a warning', async () => {
    await runPackage('@redocly/cli/bin/cli.js', 'lint', join(folder, 'openapi.json'), '--extends=recommended-strict');
  });

  test('gives types with which a program compiles', async () => {
    // openapi-typescript writes its types with the library of TypeScript 5, which later versions do not have.
    const hooks = registerHooks({
      resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript-5' : specifier, context),
    });
    const { default: openapiTypes, astToString } = await import('openapi-typescript');
    const types = astToString(await openapiTypes(description));
    hooks.deregister();
    await writeFile(join(folder, 'api.ts'), types);
    await writeFile(join(folder, 'program.ts'), program);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(strictly));
    await runPackage('typescript/bin/tsc', '--project', folder);
  });
});
