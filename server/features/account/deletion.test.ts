import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openBrowser } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { untilPositioned } from '../../../test/kit/live-wall.ts';
import { deleteAccount, signInElsewhere, outcome, publish, register } from '../../../test/kit/member.ts';
import { untilLockWaits, pollWithin } from '../../../test/kit/polling.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { closeAllSessionsOf } from '../sessions/session-store.ts';
import { deleteUser } from './account-store.ts';

const idsOf = (json: { posts: Array<{ id: string }> }): string[] => json.posts.map(({ id }) => id);

for (const engine of engines) {
  describe(`deletion of an account on ${engine}`, () => {
    test('ends all sessions and codes at once, is confirmed by mail, and frees the address', async () => {
      await using wall = await openWall(engine);
      const phone = await register(wall);
      const desk = await signInElsewhere(wall, phone);
      wall.clock.now += 61;
      const visitor = openBrowser(wall);
      const login = (await visitor.start('logins', phone.email)).json().id;
      const loginCode = await wall.mail.codeTo(phone.email);
      await deleteAccount(wall, phone);
      const notice = await wall.mail.mailTo(phone.email, ({ text }) => text.includes('удалена'));
      assert.match(notice.text, /Вернуть её нельзя/);
      for (const member of [phone, desk]) {
        assert.deepEqual(await outcome(member.send('GET', '/users/current')), [401, 'UNAUTHORIZED']);
        const renewal = member.send('PATCH', '/sessions/current', { clientToken: member.clientToken });
        assert.deepEqual(await outcome(renewal), [401, 'UNAUTHORIZED']);
      }
      assert.deepEqual(await outcome(visitor.verify('logins', login, loginCode)), [400, 'OPERATION_EXPIRED']);
      for (const table of ['sessions', 'known_devices', 'operations'] as const) {
        const rows = await wall.db.read.selectFrom(table).select('user_id').where('user_id', 'is not', null).execute();
        assert.deepEqual(rows, [], table);
      }
      // The address is free.
      wall.clock.now += 61;
      assert.deepEqual(await outcome(visitor.start('logins', phone.email)), [400, 'USER_NOT_FOUND']);
      const again = await register(wall, phone.email);
      assert.notEqual(again.id, phone.id);
      assert.deepEqual((await again.send('GET', '/users/current/export')).json().posts, []);
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
      const stored = wall.db.read.selectFrom('posts').select('id').where('user_id', '=', Number(anna.id));
      assert.equal((await stored.execute()).length, 2, 'nothing is cleared yet');
      const api = async (path: string) => (await wall.get(`/api/v1/${path}`)).json;
      assert.deepEqual(idsOf(await api('posts')), [other.id]);
      for (const filter of ['', '&filter=replies']) {
        const { posts, total } = await api(`posts?userId=${anna.id}${filter}`);
        assert.deepEqual([posts, total], [[], 0]);
      }
      assert.deepEqual(idsOf(await api(`posts/${other.id}/replies`)), []);
      assert.deepEqual(idsOf((await boris.send('GET', '/posts?filter=liked')).json()), [other.id]);
      const { replied_post, replied_post_id } = (await api(`posts/${hisReply.id}`)).actions;
      assert.deepEqual([replied_post, replied_post_id], [null, root.id]);
      assert.equal((await boris.send('GET', '/posts/replies')).json().posts[0].actions.replied_post, null);
      const hers = [`/posts/${root.id}`, `/posts/${reply.id}`, `/users/${anna.username}`];
      const missing = [...hers, `/users/${anna.username}/replies`, ...hers.map((path) => `/api/v1${path}`)];
      for (const path of [...missing, `/api/v1/posts/${root.id}/replies`]) {
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

    test('gives no session to a concurrent sign-in', async (t) => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      wall.clock.now += 61;
      const browser = openBrowser(wall);
      const { id } = (await browser.start('logins', anna.email)).json();
      const code = await wall.mail.codeTo(anna.email);
      let verifying: Promise<[number, string?]> | undefined;
      const transactions = t.mock.method(wall.db, 'tx');
      await wall.db.tx(async (tx) => {
        await deleteUser(tx, Number(anna.id), wall.clock.now);
        await closeAllSessionsOf(tx, Number(anna.id));
        verifying ??= outcome(browser.verify('logins', id, code));
        await pollWithin(2_000, () => (transactions.mock.callCount() > 1 ? true : undefined));
        // On PostgreSQL the sign-in still finds the account, and then waits for the account's lock.
        if (engine === 'postgres') await untilLockWaits(wall.db);
      });
      assert.deepEqual(await verifying, [400, 'OPERATION_EXPIRED']);
      assert.deepEqual(await wall.db.read.selectFrom('sessions').selectAll().execute(), []);
      assert.deepEqual(await wall.db.read.selectFrom('known_devices').selectAll().execute(), []);
    });
  });
}
