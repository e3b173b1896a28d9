import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Tx } from '../../db/database.ts';
import { openDatabase } from '../../db/open-database.ts';
import { newToken, tokenHash } from '../api-tokens/rules.ts';
import { addToken, endTokenOf } from '../api-tokens/store.ts';
import { blockUser } from '../moderation/store.ts';
import { closeAllSessionsOf, closeOtherSessionsOf, closeSessionOf } from './store.ts';
import { author, close, settings, writtenWall } from '../../../test/kit/closed-wall.ts';
import { appoint } from '../../../test/kit/desk.ts';
import { type Engine, engines, freshPlace } from '../../../test/kit/engines.ts';
import { readEvents } from '../../../test/kit/event-reader.ts';
import { listening } from '../../../test/kit/live-wall.ts';
import { type Member, outcome, publish, register } from '../../../test/kit/member.ts';
import { signedIn } from '../../../test/kit/signed-in.ts';
import { withinTurns } from '../../../test/kit/turns.ts';
import { type Wall, wallOver } from '../../../test/kit/wall.ts';

/** Two processes over one database, and an owner. */
async function twoProcesses(engine: Engine) {
  const fresh = await freshPlace(engine);
  const databases = await Promise.all([1, 2].map(() => openDatabase(fresh.place, () => {})));
  const [one, two] = [await wallOver(databases[0]!, settings), await wallOver(databases[1]!, settings)];
  const owner = await register(one);
  await appoint(one, owner, 'owner');
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
    test('is read by members as before, and stored nowhere', async () => {
      const { wall, owner, post } = await writtenWall(engine);
      await using _ = wall;
      await close(owner);
      const anna = await register(wall);
      const cookie = [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const token = { authorization: `Bearer ${anna.token}` };
      for (const [path, headers] of [
        ['/', { cookie }],
        [`/posts/${post}`, { cookie }],
        [`/users/${author}`, { cookie }],
        [`/posts/${post}/actions`, { cookie }],
        ['/feed.xml', { cookie }],
        ['/sitemap-0.xml', { cookie }],
        ['/api/v1/posts', token],
        ['/api/v1/posts', { cookie }],
        [`/api/v1/posts/${post}/thread`, token],
        ['/api/v1/posts/search?q=Клубника', token],
      ] as const) {
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
      const share = async (by: Member, method: 'PUT' | 'DELETE' = 'PUT') =>
        outcome(by.send(method, `/posts/${id}/shared`));
      assert.deepEqual(await share(boris), [403, 'FORBIDDEN']);
      assert.deepEqual(await share(owner), [403, 'FORBIDDEN']);
      assert.deepEqual(await page(), hidden);
      assert.deepEqual([await share(anna), await share(anna)], [[204], [204]]);
      assert.deepEqual(await page(), shown);
      for (const path of ['', '/thread', '/replies', '/likes']) {
        assert.equal((await wall.get(`/api/v1/posts/${id}${path}`)).status, 401, path);
      }
      assert.deepEqual([await share(boris, 'DELETE'), await page()], [[403, 'FORBIDDEN'], shown]);
      assert.deepEqual([await share(anna, 'DELETE'), await page()], [[204], hidden]);
      await share(anna);
      assert.deepEqual(await outcome(owner.send('POST', `/moderation/posts/${id}/removal`, { reason: 'спам' })), [200]);
      const gone = await wall.get(`/shared/${id}`);
      assert.deepEqual([gone.status, gone.text.includes('Крыжовник')], [404, false]);
    });

    test('gives feed readers the feed at an address with a token that may only read, until it is ended', async () => {
      const { wall, owner } = await writtenWall(engine);
      await using _ = wall;
      await close(owner);
      const anna = await register(wall);
      const make = async (scope: 'read' | 'write') => {
        const token = newToken();
        const made = { userId: Number(anna.id), hash: tokenHash(token)!, name: 'читалка', scope, now: wall.clock.now };
        return { token, id: await wall.db.tx((tx) => addToken(tx, made)) };
      };
      const [read, write] = [await make('read'), await make('write')];
      const statusOf = async (path: string, token: string) => (await wall.get(`${path}?token=${token}`)).status;
      for (const path of ['/feed.xml', '/discussed.xml', `/users/${author}/feed.xml`]) {
        assert.equal(await statusOf(path, read.token), 200);
        for (const other of [write.token, newToken(), 'x', '']) assert.equal(await statusOf(path, other), 401);
      }
      const { text } = await wall.get(`/feed.xml?token=${read.token}`);
      assert.match(text, /Клубника/);
      for (let n = 1; n <= 21; n += 1) await publish(anna, `Ещё ${n}`);
      const further = async (path: string) => {
        const { text: page } = await wall.get(`${path}?token=${read.token}`);
        const [, next] = /rel="next"[^>]* href="[^"]*?(\/[\w./]+\?[^"]*)"/.exec(page)!;
        return wall.get(next!.replaceAll('&amp;', '&'));
      };
      for (const path of ['/feed.xml', `/users/${anna.username}/feed.xml`]) {
        assert.equal((await further(path)).status, 200, path);
      }
      assert.match((await further('/feed.xml')).text, /Клубника/);
      // The address that somebody else gets has their own token, or none.
      const cookie = [...anna.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      for (let i = 0; i < 3; i += 1) {
        assert.doesNotMatch((await wall.get('/feed.xml', { cookie })).text, new RegExp(read.token));
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
      const by = (member: Member) => ({ cookie: [...member.cookies].map(([n, v]) => `${n}=${v}`).join('; ') });
      const open = async (headers: Record<string, string>) => {
        const reader = await readEvents(url, headers);
        t.after(reader.close);
        await reader.until((received) => received.length > 0);
        return reader;
      };
      const [visitor, members, blocked] = [await open({}), await open(by(anna)), await open(by(boris))];
      await close(owner);
      await visitor.ended;
      await assert.rejects(readEvents(url), /401/);
      await wall.db.tx(({ db }) =>
        db
          .updateTable('users')
          .set({ blocked_at: 1, block_reason: 'спам' })
          .where('id', '=', Number(boris.id))
          .execute(),
      );
      const { id } = await publish(owner, 'Крыжовник');
      await members.until((received) => received.some(({ changes }) => changes.posts.some((post) => post.id === id)));
      await blocked.ended;
      assert.ok(!JSON.stringify([visitor.received, blocked.received]).includes('Крыжовник'));
      await assert.rejects(readEvents(url, by(boris)), /401/);
    });

    test('is closed in another process as soon', async () => {
      await using both = await twoProcesses(engine);
      const { one, two, owner } = both;
      await publish(owner, 'Клубника');
      for (let i = 0; i < 3; i += 1) assert.match((await two.get('/')).text, /Клубника/);
      await close(owner);
      assert.doesNotMatch((await one.get('/')).text, /Клубника/);
      await withinTurns(100, async () => ((await two.get('/')).text.includes('Клубника') ? undefined : true));
      assert.equal((await two.get('/api/v1/posts')).status, 401);
    });

    test('is closed at once, in every process, to those whose session ends or who are blocked', async () => {
      await using both = await twoProcesses(engine);
      const { one, two, owner } = both;
      await publish(owner, 'Клубника');
      await close(owner);
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
        await withinTurns(100, async () => ((await reads(two)) ? undefined : true));
      }
    });
  });
}
