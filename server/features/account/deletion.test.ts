import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { untilPositioned } from '../../../test/kit/live-wall.ts';
import {
  deleteAccount,
  signInElsewhere,
  outcome,
  publish,
  register,
  startDeletion,
  verifyDeletion,
} from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { closeAllSessionsOf } from '../sessions/store.ts';
import { deleteUser } from './store.ts';

const idsOf = (json: { posts: Array<{ id: string }> }): string[] => json.posts.map(({ id }) => id);

for (const engine of engines) {
  describe(`deletion of an account on ${engine}`, () => {
    test('needs the code from the mail', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      wall.clock.now += 61;
      const started = await startDeletion(anna);
      assert.equal(started.statusCode, 201, started.body);
      const { id } = started.json();
      const early = await startDeletion(anna);
      assert.deepEqual([early.statusCode, early.headers['retry-after']], [429, '60']);
      const code = await wall.mail.codeTo(anna.email);
      for (let i = 0; i < 4; i += 1) {
        assert.deepEqual(await outcome(verifyDeletion(anna, id, wrong(code))), [400, 'INVALID_CONFIRM_CODE']);
      }
      assert.deepEqual(await outcome(verifyDeletion(anna, id, wrong(code))), [400, 'MAX_CONFIRM_ATTEMPTS']);
      assert.deepEqual(await outcome(verifyDeletion(anna, id, code)), [400, 'MAX_CONFIRM_ATTEMPTS']);
      assert.deepEqual(await outcome(anna.send('GET', '/users/current')), [200], 'still there');

      wall.clock.now += 61;
      const again = (await startDeletion(anna)).json().id;
      assert.deepEqual(await outcome(verifyDeletion(anna, again, await wall.mail.codeTo(anna.email))), [204]);
      const notice = await wall.mail.mailTo(anna.email, ({ text }) => text.includes('удалена'));
      assert.match(notice.text, /Вернуть её нельзя/);
    });

    test('ends all sessions and codes at once', async () => {
      await using wall = await openWall(engine);
      const phone = await register(wall);
      const desk = await signInElsewhere(wall, phone);
      wall.clock.now += 61;
      const visitor = openBrowser(wall);
      const login = (await visitor.start('logins', phone.email)).json().id;
      const loginCode = await wall.mail.codeTo(phone.email);
      await deleteAccount(wall, phone);
      for (const member of [phone, desk]) {
        assert.deepEqual(await outcome(member.send('GET', '/users/current')), [401, 'UNAUTHORIZED']);
        const { clientToken } = member;
        assert.deepEqual(await outcome(member.send('PATCH', '/sessions/current', { clientToken })), [
          401,
          'UNAUTHORIZED',
        ]);
        assert.deepEqual(await outcome(member.send('POST', '/posts', { text: 'я ещё тут' })), [401, 'UNAUTHORIZED']);
      }
      assert.deepEqual(await outcome(visitor.verify('logins', login, loginCode)), [400, 'OPERATION_EXPIRED']);
      for (const table of ['sessions', 'known_devices', 'operations'] as const) {
        assert.deepEqual(
          await wall.db.read.selectFrom(table).select('user_id').where('user_id', 'is not', null).execute(),
          [],
        );
      }
    });

    test('hides its posts everywhere in one step, before the job deletes them', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const root = await publish(anna, 'её запись');
      const other = await publish(boris, 'его запись');
      const reply = await publish(anna, 'её ответ', `/posts/${other.id}/replies`);
      const hisReply = await publish(boris, 'его ответ ей', `/posts/${root.id}/replies`);
      for (const { id } of [root, reply, other]) await boris.send('POST', `/posts/${id}/likes`);
      const pages = ['/', `/posts/${other.id}`, `/posts/${hisReply.id}`];
      for (const page of pages) assert.match((await wall.get(page)).text, /её (запись|ответ)/);

      await deleteAccount(wall, anna);
      const stored = await wall.db.read
        .selectFrom('posts')
        .select('id')
        .where('user_id', '=', Number(anna.id))
        .execute();
      assert.equal(stored.length, 2, 'nothing is cleared yet');

      assert.deepEqual(idsOf((await wall.get('/api/v1/posts')).json), [other.id]);
      const ofHers = (await wall.get(`/api/v1/posts?userId=${anna.id}`)).json;
      assert.deepEqual([ofHers.posts, ofHers.total], [[], 0]);
      const hersTo = (await wall.get(`/api/v1/posts?filter=replies&userId=${anna.id}`)).json;
      assert.deepEqual([hersTo.posts, hersTo.total], [[], 0]);
      assert.deepEqual(idsOf((await wall.get(`/api/v1/posts/${other.id}/replies`)).json), []);
      assert.deepEqual(idsOf((await boris.send('GET', '/posts?filter=liked')).json()), [other.id]);
      const { replied_post, replied_post_id } = (await wall.get(`/api/v1/posts/${hisReply.id}`)).json.actions;
      assert.deepEqual([replied_post, replied_post_id], [null, root.id]);
      const own = (await boris.send('GET', '/posts/replies')).json().posts[0].actions;
      assert.equal(own.replied_post, null);
      for (const path of [
        `posts/${root.id}`,
        `posts/${root.id}/replies`,
        `posts/${reply.id}`,
        `users/${anna.username}`,
      ]) {
        assert.equal((await wall.get(`/api/v1/${path}`)).status, 404, path);
      }
      for (const path of [
        `/posts/${root.id}`,
        `/posts/${reply.id}`,
        `/users/${anna.username}`,
        `/users/${anna.username}/replies`,
      ]) {
        assert.equal((await wall.get(path)).status, 404, path);
      }
      for (const page of pages) {
        const { text } = await wall.get(page);
        assert.doesNotMatch(text, /её (запись|ответ)/, page);
        assert.ok(!text.includes(anna.username), page);
      }
    });

    test('keeps its texts from event streams and its posts from the calls of others, before the job deletes them', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const root = await publish(anna, 'её запись');
      const { position } = (await wall.get('/api/v1/events')).json;
      await anna.send('PATCH', `/posts/${root.id}`, { text: 'её тайна' });
      await boris.send('POST', `/posts/${root.id}/likes`);
      await untilPositioned(wall);
      const missed = async () => (await wall.get(`/api/v1/events?after=${position}`)).json;
      assert.equal((await missed()).changed[0].text, 'её тайна');

      await deleteAccount(wall, anna);
      const { changed, counts } = await missed();
      assert.deepEqual([changed, counts], [[], []]);
      const refused = [
        boris.send('PATCH', `/posts/${root.id}`, { text: 'чужая' }),
        boris.send('DELETE', `/posts/${root.id}`),
        boris.send('DELETE', `/posts/${root.id}/likes`),
        boris.send('POST', `/posts/${root.id}/likes`),
        boris.send('POST', `/posts/${root.id}/replies`, { text: 'вслед' }),
        boris.send('POST', `/posts/${root.id}/reports?reason_id=spam`),
      ];
      for (const one of refused) assert.deepEqual(await outcome(one), [404, 'NOT_FOUND']);
      assert.deepEqual((await boris.send('GET', '/posts/replies')).json().total, 0);
    });

    test('gives no session to a concurrent sign-in', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      wall.clock.now += 61;
      const browser = openBrowser(wall);
      const { id } = (await browser.start('logins', anna.email)).json();
      const code = await wall.mail.codeTo(anna.email);
      let verifying: Promise<[number, string?]> | undefined;
      await wall.db.tx(async (tx) => {
        await deleteUser(tx, Number(anna.id), wall.clock.now);
        await closeAllSessionsOf(tx, Number(anna.id));
        verifying ??= outcome(browser.verify('logins', id, code));
        // On PostgreSQL it still finds the account, and then waits for its lock.
        await sleep(500);
      });
      assert.deepEqual(await verifying, [400, 'OPERATION_EXPIRED']);
      assert.deepEqual(await wall.db.read.selectFrom('sessions').selectAll().execute(), []);
      assert.deepEqual(await wall.db.read.selectFrom('known_devices').selectAll().execute(), []);
    });

    test('reserves its name for ever and frees its address', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      await anna.send('PATCH', '/users/current/profile', { username: 'anna_petrova' });
      wall.clock.now += 61;
      await deleteAccount(wall, anna);
      const boris = await register(wall);
      for (const name of ['anna_petrova', 'Anna_Petrova']) {
        const check = boris.send('GET', `/users/${name}/validation`);
        assert.deepEqual(await outcome(check), [400, 'USERNAME_ALREADY_EXISTS']);
        const claim = boris.send('PATCH', '/users/current/profile', { username: name });
        assert.deepEqual(await outcome(claim), [400, 'USERNAME_ALREADY_EXISTS']);
      }
      wall.clock.now += 61;
      assert.deepEqual(await outcome(openBrowser(wall).start('logins', anna.email)), [400, 'USER_NOT_FOUND']);
      const again = await register(wall, anna.email);
      assert.notEqual(again.id, anna.id);
      assert.deepEqual((await again.send('GET', '/users/current/export')).json().posts, []);
    });
  });
}
