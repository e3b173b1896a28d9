import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Address, addresses, siteFiles } from '#contract/addresses.ts';
import { apiPrefix } from '#contract/endpoint.ts';
import type { Tx } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { newToken, tokenHash } from '../api-tokens/token-rules.ts';
import { addToken, endTokenOf } from '../api-tokens/token-store.ts';
import { blockUser } from '../moderation/moderation-store.ts';
import { closeAllSessionsOf, closeOtherSessionsOf, closeSessionOf } from './session-store.ts';
import { author, close, settings, writtenWall } from '../../../test/kit/closed-wall.ts';
import { registerModerator } from '../../../test/kit/desk.ts';
import { type Engine, engines, freshStorage } from '../../../test/kit/engines.ts';
import { listening, reader } from '../../../test/kit/live-wall.ts';
import { readEvents } from '../../../test/kit/event-reader.ts';
import { type Member, outcome, publish, register } from '../../../test/kit/member.ts';
import { signedIn } from '../../../test/kit/signed-in.ts';
import { pollWithin } from '../../../test/kit/polling.ts';
import { type Wall, wallOver } from '../../../test/kit/wall.ts';

type Headers = Record<string, string>;

const secrets = ['Клубника', 'Смородина', author, 'Марфа'];
const message = 'Эту стену читают только участники. Войдите, чтобы продолжить.';

const openPath =
  /^\/(sign-in|(shared|carried)\/\w+|(join|owner|claim)\/x|(undo-email|unsubscribe)(\/\w+)?|about|rules|privacy|consent|robots\.txt|manifest\.webmanifest|mark(-\w+)?\.svg|wall-(share|icon)\.png|\.well-known\/security\.txt)$/;

/** People who may not read a closed wall: the headers of their requests. */
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

/** The paths of an address. If the address lists the values of its parameter, there is a path for each of them. */
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

/** The cookies of a person, for a request that no browser of the kit sends. */
const cookieOf = ({ cookies }: Member): Headers => ({
  cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
});

/** Two processes over one database, and an owner. */
async function twoProcesses(engine: Engine) {
  const fresh = await freshStorage(engine);
  const databases = await Promise.all([1, 2].map(() => openDatabase(fresh.storage, () => {})));
  const [one, two] = [await wallOver(databases[0]!, settings), await wallOver(databases[1]!, settings)];
  const owner = await registerModerator(one, 'owner');
  return {
    one,
    two,
    owner,
    async [Symbol.asyncDispose]() {
      for (const wall of [one, two]) await wall.close();
      for (const db of databases) await db.close();
      await fresh[Symbol.asyncDispose]();
    },
  };
}

for (const engine of engines) {
  describe(`a closed wall on ${engine}`, () => {
    test('shows nothing at any address to anybody without a session', async () => {
      const { wall, owner, post } = await writtenWall(engine);
      await using _ = wall;
      const there = { id: String(post), username: author, code: 'x', part: '0' };
      const nowhere = { id: String(post + 7), username: author.replace('marfa', 'maria'), code: 'x', part: '7' };
      // The responses are cached, and browsers know their ETags.
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
                .replaceAll(/(?:value=|"(?:token|nonce)":)"[\w-]{22,}"/g, ''),
              { ...rest, location: undefined },
            ];
          assert.deepEqual(same(got, path), same(other, missing), name);
          // A page contains the name of a person if its address does.
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
            assert.ok(/name="robots" content="noindex".*(Читают только участники|не существует)/s.test(got.text), name);
          else assert.ok(got.status === 401 || headers['authorization'] !== undefined, `${name}: ${got.status}`);
        }
      }
      assert.ok((await wall.get(`/posts/${post}`)).text.includes('Читают только участники'));
      assert.equal((await wall.get('/api/v1/posts')).json.message, message);
    });

    test('is read by members as before, and stored nowhere', async () => {
      const { wall, owner, post } = await writtenWall(engine);
      await using _ = wall;
      await close(owner);
      const anna = await register(wall);
      const cookie = cookieOf(anna);
      const token = { authorization: `Bearer ${anna.token}` };
      const pages = [
        '/',
        `/posts/${post}`,
        `/users/${author}`,
        `/posts/${post}/actions`,
        '/feed.xml',
        '/sitemap-0.xml',
      ];
      const calls = ['/api/v1/posts', `/api/v1/posts/${post}/thread`, '/api/v1/posts/search?q=Клубника'];
      const asked = [...pages, calls[0]!].map((each) => [each, cookie] as const);
      for (const [path, headers] of [...asked, ...calls.map((each) => [each, token] as const)]) {
        for (let i = 0; i < 3; i += 1) {
          const { status, text, headers: got } = await wall.get(path, headers);
          assert.equal(status, 200, `${path}: ${text}`);
          assert.match(text, path.includes('sitemap') ? /posts\/\d/ : /Клубника/, path);
          assert.match(String(got['cache-control']), /no-store/, path);
          assert.equal(got['etag'], undefined, path);
        }
      }
      assert.deepEqual(await outcome(anna.send('POST', '/posts', { text: 'Крыжовник' })), [201]);
      assert.deepEqual(await outcome(anna.send('GET', '/keep')), [404, 'NOT_FOUND']);
      await close(owner, 'everyone');
      const { status, text, headers } = await wall.get('/');
      assert.deepEqual([status, headers['cache-control'], text.includes('Клубника')], [200, 'no-cache', true]);
    });

    test('shows a post that its author has opened to everyone, alone, until it is closed or removed', async () => {
      const { wall, owner } = await writtenWall(engine);
      await using _ = wall;
      const [anna, boris] = [await register(wall), await register(wall)];
      const { id } = await publish(anna, 'Крыжовник');
      await boris.send('POST', `/posts/${id}/replies`, { text: 'Рябина' });
      await close(owner);
      const page = async () => {
        const { status, headers } = await wall.get(`/posts/${id}`);
        const { text } = await wall.get(`/shared/${id}`);
        assert.doesNotMatch(text, /Рябина|Клубника/);
        return [status, headers['location'], /Крыжовник/.test(text)];
      };
      const hidden = [200, undefined, false];
      const shown = [302, `/shared/${id}`, true];
      assert.deepEqual(await page(), hidden);
      const share = (method: 'PUT' | 'DELETE' = 'PUT', by = anna) => outcome(by.send(method, `/posts/${id}/shared`));
      assert.deepEqual([await share('PUT', owner), await page()], [[403, 'FORBIDDEN'], hidden]);
      assert.deepEqual([await share(), await share(), await page()], [[204], [204], shown]);
      for (const path of ['', '/thread', '/replies', '/likes']) {
        assert.equal((await wall.get(`/api/v1/posts/${id}${path}`)).status, 401, path);
      }
      assert.deepEqual([await share('DELETE'), await page()], [[204], hidden]);
      await share();
      assert.deepEqual(await outcome(owner.send('POST', `/moderation/posts/${id}/removal`, { reason: 'спам' })), [200]);
      assert.equal((await wall.get(`/shared/${id}`)).status, 404);
      assert.deepEqual(await page(), hidden);
      await owner.send('POST', `/moderation/posts/${id}/restoration`, { reason: 'ошибка' });
      assert.deepEqual(await page(), shown);
      assert.equal((await anna.send('DELETE', `/posts/${id}`)).statusCode, 204);
      assert.deepEqual(await page(), hidden);
    });

    test('gives feed readers the feed at an address with a token for feeds, or one that may only read, until it is ended', async () => {
      const { wall, owner } = await writtenWall(engine);
      await using _ = wall;
      await close(owner);
      const anna = await register(wall);
      const make = async (scope: 'read' | 'write' | 'feed') => {
        const token = newToken();
        const made = { userId: Number(anna.id), hash: tokenHash(token)!, name: 'читалка', scope, now: wall.clock.now };
        return { token, id: await wall.db.tx((tx) => addToken(tx, made)) };
      };
      const [read, write, feed] = [await make('read'), await make('write'), await make('feed')];
      const statusOf = async (path: string, token: string) => (await wall.get(`${path}?token=${token}`)).status;
      for (const path of ['/feed.xml', '/discussed.xml', '/best.xml', `/users/${author}/feed.xml`]) {
        for (const { token } of [read, feed]) assert.equal(await statusOf(path, token), 200);
        for (const other of [write.token, newToken(), 'x', '']) assert.equal(await statusOf(path, other), 401);
      }
      const { text } = await wall.get(`/feed.xml?token=${read.token}`);
      assert.match(text, /Клубника/);
      for (let n = 1; n <= 21; n += 1) await publish(anna, `Ещё ${n}`);
      const further = async (path: string) => {
        const { text: page } = await wall.get(`${path}?token=${feed.token}`);
        const [, next] = /rel="next"[^>]* href="[^"]*?(\/[\w./]+\?[^"]*)"/.exec(page)!;
        return wall.get(next!.replaceAll('&amp;', '&'));
      };
      for (const path of ['/feed.xml', `/users/${anna.username}/feed.xml`]) {
        assert.equal((await further(path)).status, 200, path);
      }
      assert.match((await further('/feed.xml')).text, /Клубника/);
      // The address that somebody else gets has their own token, or none.
      for (let i = 0; i < 3; i += 1) {
        assert.doesNotMatch((await wall.get('/feed.xml', cookieOf(anna))).text, new RegExp(read.token));
      }
      const asCaller = { authorization: `Bearer ${feed.token}` };
      for (const path of ['/posts', '/users/current', '/posts/replies']) {
        assert.equal((await wall.get(`/api/v1${path}`, asCaller)).status, 403, path);
      }
      for (const path of ['/sitemap-0.xml', '/api/v1/posts']) assert.equal(await statusOf(path, read.token), 401);
      const [{ lastUsedAt: used }] = (await anna.send('GET', '/users/current/tokens')).json().tokens.slice(-1);
      assert.equal(used, wall.clock.now);
      await wall.db.tx((tx) => endTokenOf(tx, Number(anna.id), read.id));
      assert.equal(await statusOf('/feed.xml', read.token), 401);
    });

    test('ends the event streams of those who may not read, and sends them nothing', async (t) => {
      const { wall, owner } = await writtenWall(engine);
      const { url } = await listening(t, wall);
      const [anna, boris] = [await register(wall), await register(wall)];
      const [visitor, members] = [await reader(t, url), await reader(t, url, cookieOf(anna))];
      const blocked = await reader(t, url, cookieOf(boris));
      // The term of the block is over, but the job has not cleared it.
      const clara = await register(wall);
      const free = await reader(t, url, cookieOf(clara));
      await close(owner);
      await visitor.ended;
      await assert.rejects(readEvents(url), /401/);
      await wall.db.tx(({ db }) =>
        db.updateTable('users').set({ blocked_at: 1 }).where('id', '=', Number(boris.id)).execute(),
      );
      await wall.db.tx(({ db }) =>
        db
          .updateTable('users')
          .set({ blocked_at: 1, blocked_until: wall.clock.now })
          .where('id', '=', Number(clara.id))
          .execute(),
      );
      const { id } = await publish(owner, 'Крыжовник');
      for (const each of [members, free])
        await each.until((received) => received.some(({ changes }) => changes.posts.some((post) => post.id === id)));
      await blocked.ended;
      assert.ok(!JSON.stringify([visitor.received, blocked.received]).includes('Крыжовник'));
      await assert.rejects(readEvents(url, cookieOf(boris)), /401/);
    });

    test('is closed in every process as soon, also to those whose session ends or who are blocked', async () => {
      await using both = await twoProcesses(engine);
      const { one, two, owner } = both;
      await publish(owner, 'Клубника');
      for (let i = 0; i < 3; i += 1) assert.match((await two.get('/')).text, /Клубника/);
      await close(owner);
      assert.doesNotMatch((await one.get('/')).text, /Клубника/);
      await pollWithin(100, async () => ((await two.get('/')).text.includes('Клубника') ? undefined : true));
      assert.equal((await two.get('/api/v1/posts')).status, 401);
      const ends = {
        signed_out: (tx: Tx, id: number, session: number) => closeSessionOf(tx, id, session),
        signed_out_elsewhere: (tx: Tx, id: number, session: number) => closeOtherSessionsOf(tx, id, session + 1),
        signed_out_everywhere: (tx: Tx, id: number) => closeAllSessionsOf(tx, id),
        blocked: (tx: Tx, id: number) => blockUser(tx, id, 'спам', one.clock.now),
      };
      for (const [name, end] of Object.entries(ends)) {
        const id = await one.person(name);
        const { cookie, sessionId } = await signedIn(one.db, id);
        const reads = async (wall: Wall) =>
          (await wall.get('/', { cookie: `session=${cookie}` })).text.includes('Клубника');
        // The first time the session is looked up, and the third time it is known in front of the routes.
        for (let i = 0; i < 3; i += 1) assert.deepEqual([await reads(one), await reads(two)], [true, true], name);
        await one.db.tx<unknown>((tx) => end(tx, id, sessionId));
        assert.equal(await reads(one), false, name);
        await pollWithin(100, async () => ((await reads(two)) ? undefined : true));
      }
    });
  });
}
