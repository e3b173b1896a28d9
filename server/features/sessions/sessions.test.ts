import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { device, newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { sessionsPerUser } from './rules.ts';
import { openSession } from './store.ts';

const day = 24 * 3_600;

for (const engine of engines) {
  describe(`sessions on ${engine}`, () => {
    let wall: Wall;
    before(async () => void (wall = await openWall(engine)));
    after(() => wall.close());

    const signedIn = async (email = newAddress(), purpose: 'logins' | 'registrations' = 'registrations') => {
      const browser = openBrowser(wall);
      const entered = await browser.enter(purpose, email);
      assert.equal(entered.statusCode, 200, entered.body);
      wall.clock.now += 61;
      return { browser, email };
    };
    const renew = (browser: ReturnType<typeof openBrowser>, clientToken = browser.clientToken) =>
      browser.send('PATCH', '/sessions/current', { clientToken });

    test('the cookie renews tokens; calls need a token', async () => {
      const { browser } = await signedIn();
      assert.equal((await browser.send('GET', '/users/current')).statusCode, 200);
      wall.clock.now += 600;
      assert.equal((await browser.send('GET', '/users/current')).json().code, 'UNAUTHORIZED', 'ten minutes are over');
      const renewed = await renew(browser);
      assert.equal(renewed.statusCode, 200);
      assert.equal(renewed.json().accessToken.expiresAt, wall.clock.now + 600);
      browser.token = renewed.json().accessToken.token;
      assert.equal((await browser.send('GET', '/users/current')).statusCode, 200);
    });

    test('twenty tabs that renew at once stay signed in', async () => {
      const { browser } = await signedIn();
      const cookie = browser.cookies.get('session');
      const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => renew(browser, `changed ${i}`)));
      assert.ok(responses.every(({ statusCode }) => statusCode === 200));
      assert.equal(browser.cookies.get('session'), cookie, 'it does not rotate');
    });

    test('without a valid cookie there is no token', async () => {
      const browser = openBrowser(wall);
      assert.equal((await renew(browser)).statusCode, 401);
      browser.cookies.set('session', 'x'.repeat(43));
      assert.equal((await renew(browser)).statusCode, 401);
    });

    test('forged and foreign tokens are refused', async () => {
      const { browser } = await signedIn();
      const [id, end, mac] = browser.token!.split('.') as [string, string, string];
      for (const token of [
        '',
        'x',
        `${id}.${end}`,
        `${Number(id) + 1}.${end}.${mac}`,
        `${id}.${Number(end) + 1}.${mac}`,
        `${id}.${end}.${mac.slice(1)}`,
        `${id}.${end}.${'A'.repeat(43)}`,
      ]) {
        browser.token = token || undefined;
        assert.equal((await browser.send('GET', '/users/current')).statusCode, 401, token);
      }
    });

    test('a session ends after ninety idle days', async () => {
      const { browser } = await signedIn();
      wall.clock.now += 89 * day;
      assert.equal((await renew(browser)).statusCode, 200);
      wall.clock.now += 90 * day;
      assert.equal((await renew(browser)).statusCode, 401);
    });

    test('a session ends a year after it was opened, however often it is used', async () => {
      const end = wall.clock.now + 365 * day;
      const { browser, email } = await signedIn();
      for (let i = 0; i < 4; i += 1) {
        wall.clock.now += 80 * day;
        assert.equal((await renew(browser)).statusCode, 200);
      }
      wall.clock.now = end - 100;
      const { accessToken } = (await renew(browser)).json();
      assert.equal(accessToken.expiresAt, end, 'its last token ends with it');
      const { browser: other } = await signedIn(email, 'logins');
      assert.equal((await other.send('GET', '/sessions')).json().sessions.length, 2);

      wall.clock.now = end;
      assert.equal((await renew(browser)).statusCode, 401);
      browser.token = accessToken.token;
      assert.equal((await browser.send('GET', '/users/current')).statusCode, 401);
      assert.equal((await other.send('GET', '/sessions')).json().sessions.length, 1);
    });

    test('the list: the current one first, then the most recently active', async () => {
      const { browser: first, email } = await signedIn();
      const { browser: second } = await signedIn(email, 'logins');
      const { browser: third } = await signedIn(email, 'logins');
      await renew(second);
      const { sessions } = (await first.send('GET', '/sessions')).json();
      assert.deepEqual(Object.keys(sessions[0]), ['id', 'current', 'createdAt', 'lastActiveAt', 'device']);
      assert.deepEqual(sessions[0].device, device);
      assert.deepEqual(
        sessions.map(({ current }: { current: boolean }) => current),
        [true, false, false],
      );
      assert.ok(sessions[1].lastActiveAt > sessions[2].lastActiveAt);
      assert.equal((await third.send('GET', '/sessions')).json().sessions.length, 3);
    });

    test('a closed session is refused at once', async () => {
      const { browser: first, email } = await signedIn();
      const { browser: second } = await signedIn(email, 'logins');
      const { sessions } = (await first.send('GET', '/sessions')).json();
      assert.equal((await first.send('DELETE', `/sessions/${sessions[0].id}`)).statusCode, 403, 'not the current one');
      assert.equal((await first.send('DELETE', `/sessions/${sessions[1].id}`)).statusCode, 204);
      assert.equal((await second.send('GET', '/users/current')).statusCode, 401);
      assert.equal((await renew(second)).statusCode, 401);
      assert.equal((await first.send('DELETE', `/sessions/${sessions[1].id}`)).statusCode, 404);
      assert.equal((await first.send('DELETE', '/sessions/abc')).statusCode, 404);
    });

    test('somebody else’s session looks missing', async () => {
      const { browser: anna } = await signedIn();
      const { browser: boris } = await signedIn();
      const { sessions } = (await boris.send('GET', '/sessions')).json();
      assert.equal((await anna.send('DELETE', `/sessions/${sessions[0].id}`)).statusCode, 404);
      assert.equal((await boris.send('GET', '/users/current')).statusCode, 200);
    });

    test('all others are closed at once; logging out closes this one', async () => {
      const { browser: first, email } = await signedIn();
      const others = [await signedIn(email, 'logins'), await signedIn(email, 'logins')];
      assert.equal((await first.send('DELETE', '/sessions')).statusCode, 204);
      for (const { browser } of others) assert.equal((await browser.send('GET', '/users/current')).statusCode, 401);
      assert.equal((await first.send('GET', '/users/current')).statusCode, 200);
      const out = await first.send('DELETE', '/sessions/current');
      assert.equal(out.statusCode, 204);
      assert.equal(first.cookies.has('session'), false);
      assert.equal((await first.send('GET', '/users/current')).statusCode, 401);
    });

    test('refuses every request that starts after the session was closed', async () => {
      const { browser: owner, email } = await signedIn();
      for (let i = 0; i < 4; i += 1) {
        wall.clock.now += day;
        const renewed = await renew(owner);
        owner.token = renewed.json().accessToken.token;
        const { browser } = await signedIn(email, 'logins');
        const { sessions } = (await owner.send('GET', '/sessions')).json();
        let closed = false;
        let late = 0;
        const load = Promise.all(
          Array.from({ length: 10 }, async () => {
            for (let j = 0; j < 40; j += 1) {
              const isLate = closed;
              const { statusCode } = await browser.send('GET', '/users/current');
              if (isLate && statusCode !== 401) late += 1;
              if (j % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
            }
          }),
        );
        await owner.send('DELETE', `/sessions/${sessions[1].id}`);
        closed = true;
        await load;
        assert.equal(late, 0);
      }
    });

    test('a person has at most twenty: the one idle longest is closed', async () => {
      const { browser: first, email } = await signedIn();
      for (let i = 0; i < 20; i += 1) {
        wall.clock.now += day;
        await signedIn(email, 'logins');
      }
      const { sessions } = (await (await signedIn(email, 'logins')).browser.send('GET', '/sessions')).json();
      assert.equal(sessions.length, 20);
      assert.equal((await renew(first)).statusCode, 401);
    });

    test('concurrent sign-ins count each other', async () => {
      const { browser } = await signedIn();
      const userId = Number((await browser.send('GET', '/users/current')).json().id);
      const open = (cookieHash: string, holdMs = 0) =>
        wall.db.tx(async (tx) => {
          await openSession(tx, { userId, cookieHash, clientToken: 'x', device: '{}', now: wall.clock.now });
          await sleep(holdMs);
        });
      for (let i = 1; i < sessionsPerUser; i += 1) await open(`${userId} ${i}`);
      await Promise.all([open(`${userId} a`, 200), open(`${userId} b`, 200)]);
      const sessions = await wall.db.read.selectFrom('sessions').select('id').where('user_id', '=', userId).execute();
      assert.equal(sessions.length, sessionsPerUser);
    });

    test('personal responses are not cached', async () => {
      const { browser } = await signedIn();
      for (const path of [
        '/users/current',
        '/sessions',
        '/posts',
        '/posts?filter=liked',
        '/users/current/notifications',
      ]) {
        assert.equal((await browser.send('GET', path)).headers['cache-control'], 'no-store');
      }
    });
  });
}

test('on https cookies are bound to the host', async () => {
  await using wall = await openWall('sqlite', { PUBLIC_URL: 'https://wall.example' });
  const entered = await openBrowser(wall).enter('registrations', newAddress());
  assert.deepEqual(
    entered.cookies.map(({ name, secure }) => [name, secure]),
    [
      ['__Host-session', true],
      ['__Host-device', true],
    ],
  );
});
