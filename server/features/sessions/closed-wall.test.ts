import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Address, addresses, siteFiles } from '#contract/addresses.ts';
import { apiPrefix, type Endpoint } from '#contract/endpoint.ts';
import { table } from '#contract/table.ts';
import { author, close, writtenWall } from '../../../test/kit/closed-wall.ts';
import { engines } from '../../../test/kit/engines.ts';
import { signedIn } from '../../../test/kit/signed-in.ts';
import type { Wall } from '../../../test/kit/wall.ts';

type Headers = Record<string, string>;

const secrets = ['Клубника', 'Смородина', author, 'Марфа'];
const message = 'Эту стену читают только участники. Войдите, чтобы продолжить.';

/** Calls that lead into the wall or out of it, and those of texts about it. */
const openCalls = [
  'getWallText',
  'startLogin',
  'verifyLogin',
  'startRegistration',
  'verifyRegistration',
  'getMailState',
  'renewToken',
  'closeCurrentSession',
  'getInvitation',
  'checkOwnerLink',
  'getClaim',
  'getSharedPost',
];
const openPath =
  /^\/(sign-in|shared\/\w+|(join|owner|claim)\/x|(undo-email|unsubscribe)(\/\w+)?|about|rules|privacy|consent|robots\.txt|manifest\.webmanifest|\.well-known\/security\.txt)$/;

/** Everybody who has no session: the headers of their requests. */
async function strangersOf(wall: Wall): Promise<Record<string, Headers>> {
  const [ended, blocked] = [await wall.person('ended_one'), await wall.person('blocked_one')];
  const [left, refused] = [await signedIn(wall.db, ended), await signedIn(wall.db, blocked)];
  await wall.db.tx(({ db }) => db.deleteFrom('sessions').where('user_id', '=', ended).execute());
  await wall.db.tx(({ db }) =>
    db.updateTable('users').set({ blocked_at: 1, block_reason: 'спам' }).where('id', '=', blocked).execute(),
  );
  return {
    visitor: {},
    'with the cookie of an ended session': { cookie: `session=${left.cookie}` },
    'with the token of an ended session': { authorization: `Bearer ${left.token}` },
    'with no token at all': { authorization: 'Bearer ' },
    'blocked, with a cookie': { cookie: `session=${refused.cookie}` },
    'blocked, with a token': { authorization: `Bearer ${refused.token}`, cookie: `session=${refused.cookie}` },
  };
}

const callUrl = ({ path }: Endpoint, params: object = {}): string =>
  apiPrefix + path.replaceAll(/\{(\w+).*?\}/g, (_, name: string) => String((params as Headers)[name]));

/** The paths of an address for these values; one for each of the values that it names itself. */
function pathsOf({ path }: Pick<Address, 'path'>, values: Headers): string[] {
  const [, parameter, choices] = /\{(\w+):?(.*?)\}/.exec(path) ?? [];
  if (parameter === undefined) return [path];
  const given = choices ? choices.split('|') : [values[parameter]!];
  return given.map((value) => path.replace(/\{.*\}/, value));
}
const allPaths = (values: Headers): string[] => [
  ...[...Object.values(addresses), ...Object.values(siteFiles)].flatMap((each) => pathsOf(each, values)),
  '/nothing',
  '/search?q=Клубника',
  '/?cursor=1',
  `${apiPrefix}/openapi.json`,
  `${apiPrefix}/nothing`,
];

for (const engine of engines) {
  describe(`a closed wall on ${engine}`, () => {
    test('shows nothing at any address to anybody without a session', async () => {
      const { wall, owner, post } = await writtenWall(engine);
      await using _ = wall;
      const there = { id: String(post), username: author, code: 'x', part: '0' };
      const nowhere = { id: String(post + 7), username: author.replace('marfa', 'maria'), code: 'x', part: '7' };
      // Cached, and with an ETag that a browser knows.
      const etags = new Map<string, string>();
      for (let i = 0; i < 3; i += 1) {
        for (const path of allPaths(there)) etags.set(path, String((await wall.get(path)).headers['etag']));
      }
      await close(owner);
      for (const [who, headers] of Object.entries(await strangersOf(wall))) {
        for (const [index, path] of allPaths(there).entries()) {
          const missing = allPaths(nowhere)[index]!;
          const got = await wall.get(path, { ...headers, 'if-none-match': etags.get(path)! });
          const other = await wall.get(missing, { ...headers, 'if-none-match': etags.get(path)! });
          const name = `${path}, ${who}`;
          const same = (
            { status, text, headers: { date: _date, 'set-cookie': _set, ...rest } }: typeof got,
            at: string,
          ) =>
            // The page names its own address. Forms carry a random value.
            [
              status,
              text
                .replaceAll(at, '')
                .replaceAll(encodeURIComponent(at), '')
                .replaceAll(/@?mar\w+_ivanova/g, '')
                .replaceAll(/value="[\w-]{22,}"/g, ''),
              { ...rest, location: undefined },
            ];
          assert.deepEqual(same(got, path), same(other, missing), name);
          // An address that names a person is named by its page.
          const kept = secrets.filter((secret) => !path.includes(secret));
          for (const secret of kept) assert.ok(!got.text.includes(secret), `${name}: ${secret}`);
          const position = /"position":"(\d+)"/.exec(got.text)?.[1] ?? '9007199254740991';
          assert.equal(position, '9007199254740991', name);
          if (openPath.test(path)) {
            assert.ok([200, 403, 404].includes(got.status), `${name}: ${got.status}`);
            continue;
          }
          assert.equal(got.headers['etag'], undefined, name);
          assert.match(String(got.headers['cache-control']), /no-store/, name);
          if (got.status === 302) assert.match(String(got.headers['location']), /^\/sign-in\?next=/, name);
          else if (got.status === 200)
            assert.ok(/name="robots" content="noindex".*(Нужно войти|не существует)/s.test(got.text), name);
          else assert.ok(got.status === 401 || headers['authorization'] !== undefined, `${name}: ${got.status}`);
        }
      }
      assert.ok((await wall.get(`/posts/${post}`)).text.includes('Нужно войти'));
    });

    test('refuses every call that is no way in', async () => {
      const { wall, owner, post } = await writtenWall(engine);
      await using _ = wall;
      await close(owner);
      for (const [who, headers] of Object.entries(await strangersOf(wall))) {
        for (const { name, endpoint, example } of table) {
          const { params, query, body } = example as { params?: object; query?: Headers; body?: object };
          const found = { ...params, ...(params && 'id' in params && { id: String(post) }) };
          const url = `${callUrl(endpoint, found)}?${new URLSearchParams(query)}`;
          const { method } = endpoint;
          const response = await wall.app.inject({ method, url, headers, ...(body && { payload: body }) });
          const { statusCode: status } = response;
          for (const secret of secrets) assert.ok(!response.body.includes(secret), `${name}, ${who}: ${secret}`);
          if (openCalls.includes(name)) continue;
          const { code } = response.json();
          assert.ok([401, 403, 404].includes(status), `${name}, ${who}: ${status}`);
          if (headers['authorization'] === undefined) {
            assert.deepEqual([status, response.json()], [401, { code: 'UNAUTHORIZED', message }], `${name}, ${who}`);
          } else {
            const codes = [
              'UNAUTHORIZED',
              'ACCOUNT_BLOCKED',
              ...(endpoint.path.startsWith('/moderation') || endpoint.path.startsWith('/keep') ? ['NOT_FOUND'] : []),
            ];
            assert.ok(codes.includes(code), `${name}, ${who}: ${code}`);
          }
        }
      }
      const shown = await wall.get('/api/v1/documents/rules');
      assert.ok([200, 404].includes(shown.status), shown.text);
    });
  });
}
