import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { apiPrefix, isForKeepers } from '#contract/endpoint.ts';
import { table } from '#contract/table.ts';
import { openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { readEvents } from '../../../test/kit/event-reader.ts';
import { signInElsewhere, type Member, outcome, register } from '../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import type { Database } from '../../db/database.ts';
import { type By, recordAct } from './journal.ts';
import { actUnblock } from './block-acts.ts';
import { removeAllPostsOf } from './removal.ts';
import { blockUser, unblockUser } from './store.ts';

const reason = 'Реклама в каждом ответе';
const blockedError = { code: 'ACCOUNT_BLOCKED', message: `Учётная запись заблокирована. Причина: ${reason}` };

const block = ({ db, clock }: Wall, { id }: Member): Promise<boolean> =>
  db.tx((tx) => blockUser(tx, Number(id), reason, clock.now));

const unblock = ({ db }: Wall, { id }: Member): Promise<boolean> => db.tx((tx) => unblockUser(tx, Number(id)));

const renew = (member: Member) => member.send('PATCH', '/sessions/current', { clientToken: member.clientToken });

for (const engine of engines) {
  describe(`a blocked person on ${engine}`, () => {
    test('is refused every call with the reason, on every device, and may log out', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const elsewhere = await signInElsewhere(wall, anna);
      assert.equal(await block(wall, anna), true);
      assert.equal(await block(wall, anna), false);
      for (const { name, endpoint } of table) {
        if (endpoint.access === 'cookie') continue;
        const url = apiPrefix + endpoint.path.replace(/\{\w+\}/, '1');
        const headers = { authorization: `Bearer ${anna.token}`, 'sec-fetch-site': 'same-origin' };
        const response = await wall.app.inject({ method: endpoint.method, url, headers, payload: {} });
        if (isForKeepers(endpoint.access)) assert.equal(response.statusCode, 404, name);
        else assert.deepEqual([response.statusCode, response.json()], [403, blockedError], name);
      }
      for (const browser of [anna, elsewhere]) {
        const response = await renew(browser);
        assert.deepEqual([response.statusCode, response.json()], [403, blockedError]);
      }
      assert.equal((await wall.get('/api/v1/posts')).status, 200);
      assert.equal((await elsewhere.send('DELETE', '/sessions/current')).statusCode, 204);
      assert.deepEqual(await outcome(renew(elsewhere)), [401, 'UNAUTHORIZED']);
    });

    test('learns the reason at sign-in only after the right code', async () => {
      await using wall = await openWall(engine, { CODE_RESEND_SECONDS: '0' });
      const [anna, boris] = [await register(wall), await register(wall)];
      await block(wall, anna);
      for (const purpose of ['logins', 'registrations'] as const) {
        const [blocked, free] = [openBrowser(wall), openBrowser(wall)];
        const [started, freely] = [await blocked.start(purpose, anna.email), await free.start(purpose, boris.email)];
        assert.equal(started.statusCode, freely.statusCode);
        assert.deepEqual(Object.keys(started.json()), Object.keys(freely.json()));
        const code = await wall.mail.codeTo(anna.email);
        const { id } = started.json();
        assert.deepEqual(await outcome(blocked.verify(purpose, id, wrong(code))), [400, 'INVALID_CONFIRM_CODE']);
        const refused = await blocked.verify(purpose, id, code);
        assert.deepEqual([refused.statusCode, refused.json()], [400, blockedError]);
        assert.equal(blocked.cookies.size, 0);
        assert.deepEqual(await outcome(blocked.verify(purpose, id, code)), [400, 'OPERATION_EXPIRED']);
      }
    });

    test('gets nothing personal on an event stream', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      const { id } = (await anna.send('POST', '/posts', { text: 'запись' })).json();
      await boris.send('POST', `/posts/${id}/replies`, { text: 'ответ' });
      await wall.app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = wall.app.server.address() as AddressInfo;
      const unreadAtFirst = async () => {
        const cookie = `session=${anna.cookies.get('session')}`;
        const { until, close } = await readEvents(`http://127.0.0.1:${port}/api/v1/events`, { cookie });
        const [first] = await until((received) => received.length > 0);
        close();
        return first!.changes.unread;
      };
      assert.equal(await unreadAtFirst(), 1);
      await block(wall, anna);
      assert.equal(await unreadAtFirst(), undefined);
    });

    test('has all posts again when the block ends while they are being removed', async () => {
      await using wall = await openWall(engine);
      const anna = await wall.person('anna_petrova');
      const posts = 120;
      for (let i = 0; i < posts; i += 1) await wall.post(anna, `запись ${i}`);
      const by = (): By => ({ operator: 'Оператор', reason, at: wall.clock.now });
      const open = async () => ({ person: { id: anna, username: 'anna_petrova' }, by: by() });
      let unblocking: ReturnType<typeof actUnblock> | undefined;
      await wall.db.tx((tx) => blockUser(tx, anna, reason, wall.clock.now));
      // On a busy machine the other batches would otherwise be done before the block ends.
      const tx: Database['tx'] = async (work) => {
        await unblocking;
        return wall.db.tx(work);
      };
      const removed = await removeAllPostsOf(
        { ...wall.db, tx },
        { userId: anna, reason, now: wall.clock.now },
        (batch, ids) => {
          // It follows the transaction of this batch.
          unblocking ??= actUnblock(wall.db, open, { restorePosts: true });
          return recordAct(batch, by(), { action: 'remove-posts', details: { posts: ids } });
        },
      );
      assert.ok(removed < posts, `${removed} removed`);
      assert.equal((await unblocking!).posts, removed);
      assert.equal((await wall.get(`/api/v1/posts?userId=${anna}`)).json.total, posts);
    });

    test('must sign in again after the block: no session survives it', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      await block(wall, anna);
      assert.equal(await unblock(wall, anna), true);
      assert.equal(await unblock(wall, anna), false);
      assert.deepEqual(await outcome(anna.send('GET', '/users/current')), [401, 'UNAUTHORIZED']);
      assert.deepEqual(await outcome(renew(anna)), [401, 'UNAUTHORIZED']);
      const again = await signInElsewhere(wall, anna);
      assert.deepEqual(await outcome(again.send('POST', '/posts', { text: 'снова здесь' })), [201]);
    });

    test('gets no working session from a concurrent sign-in', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off', CODE_RESEND_SECONDS: '0' });
      const anna = await register(wall);
      for (let round = 0; round < 5; round += 1) {
        const browsers = Array.from({ length: 6 }, () => openBrowser(wall));
        const operations: Array<{ id: string; code: string }> = [];
        for (const browser of browsers) {
          const { id } = (await browser.start('logins', anna.email)).json();
          operations.push({ id, code: await wall.mail.codeTo(anna.email) });
        }
        await Promise.all([
          ...browsers.map((browser, i) => browser.verify('logins', operations[i]!.id, operations[i]!.code)),
          block(wall, anna),
        ]);
        for (const browser of browsers.filter(({ token }) => token !== undefined)) {
          assert.deepEqual(await outcome(browser.send('GET', '/users/current')), [403, 'ACCOUNT_BLOCKED']);
        }
        await unblock(wall, anna);
        for (const browser of browsers.filter(({ token }) => token !== undefined)) {
          assert.deepEqual(await outcome(browser.send('GET', '/users/current')), [401, 'UNAUTHORIZED']);
        }
      }
    });
  });
}

test('OpenAPI describes where the error of a blocked account has status 400', async () => {
  await using wall = await openWall('sqlite');
  const { paths } = (await wall.get('/api/v1/openapi.json')).json;
  for (const path of ['/logins', '/registrations']) {
    const { responses } = paths[`/api/v1${path}/{id}/verify`].post;
    assert.match(responses[400].description, /ACCOUNT_BLOCKED/);
    assert.equal(responses[403], undefined);
  }
  assert.match(paths['/api/v1/users/current'].get.responses[403].description, /ACCOUNT_BLOCKED/);
});
