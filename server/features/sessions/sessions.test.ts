import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allMailsSent } from '../../../test/kit/digest.ts';
import { engines } from '../../../test/kit/engines.ts';
import { register, signInElsewhere } from '../../../test/kit/member.ts';
import { type Browser, device, newAddress, openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { untilLockWaits } from '../../../test/kit/polling.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { cookieHash, sessionsPerUser } from './session-rules.ts';
import { openSession } from './session-store.ts';

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

    test('scripts learn from a cookie which session there is, from its opening over each renewal to its end', async () => {
      const { browser } = await signedIn();
      const flagOf = ({ cookies }: Awaited<ReturnType<typeof renew>>) =>
        cookies.find(({ name }) => name === 'signed-in');
      const flag = browser.cookies.get('signed-in')!;
      const session = browser.cookies.get('session')!;
      assert.match(flag, /^[\w-]{43}$/);
      assert.ok(![session, cookieHash(session)].includes(flag));
      // A browser lacks this cookie after an upgrade from 1.0.0.
      browser.cookies.delete('signed-in');
      const shown = { name: 'signed-in', value: flag, maxAge: 90 * day, path: '/', sameSite: 'Strict' };
      assert.deepEqual({ ...flagOf(await renew(browser)) }, shown);
      assert.notEqual((await signedIn()).browser.cookies.get('signed-in'), flag);
      browser.cookies.set('signed-in', flag);
      const ended = await browser.send('DELETE', '/sessions/current');
      assert.deepEqual([ended.statusCode, flagOf(ended)?.value], [204, '']);
    });

    test('twenty tabs that renew at once stay signed in', async () => {
      const { browser } = await signedIn();
      const cookie = browser.cookies.get('session');
      const responses = await Promise.all(Array.from({ length: 20 }, (_, i) => renew(browser, `changed ${i}`)));
      assert.ok(responses.every(({ statusCode }) => statusCode === 200));
      assert.equal(browser.cookies.get('session'), cookie, 'it does not rotate');
    });

    test('forged and foreign tokens are refused', async () => {
      const { browser } = await signedIn();
      const [id, end, mac] = browser.token!.split('.') as [string, string, string];
      const foreign = [`${Number(id) + 1}.${end}.${mac}`, `${id}.${Number(end) + 1}.${mac}`];
      const cut = ['', 'x', `${id}.${end}`, `${id}.${end}.${mac.slice(1)}`];
      for (const token of [...cut, ...foreign, `${id}.${end}.${'A'.repeat(43)}`]) {
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
      const current = sessions.map((session: { current: boolean }) => session.current);
      assert.deepEqual(current, [true, false, false]);
      assert.ok(sessions[1].lastActiveAt > sessions[2].lastActiveAt);
      assert.equal((await third.send('GET', '/sessions')).json().sessions.length, 3);
    });

    test('a session is closed alone, with all others, or by logging out, and refused at once', async () => {
      const { browser: first, email } = await signedIn();
      const others: Browser[] = [];
      for (let i = 0; i < 3; i += 1) others.push((await signedIn(email, 'logins')).browser);
      const seen = () =>
        Promise.all([first, ...others].map(async (each) => (await each.send('GET', '/users/current')).statusCode));
      const close = async (path: string) => (await first.send('DELETE', path)).statusCode;
      const [own, newest] = (await first.send('GET', '/sessions')).json().sessions;
      assert.equal(await close(`/sessions/${own.id}`), 403, 'not the current one');
      assert.deepEqual([await close(`/sessions/${newest.id}`), await seen()], [204, [200, 200, 200, 401]]);
      assert.equal((await renew(others[2]!)).statusCode, 401);
      for (const id of [newest.id, 'abc']) assert.equal(await close(`/sessions/${id}`), 404);
      assert.deepEqual([await close('/sessions'), await seen()], [204, [200, 401, 401, 401]]);
      assert.deepEqual([await close('/sessions/current'), await seen()], [204, [401, 401, 401, 401]]);
      assert.equal(first.cookies.has('session'), false);
    });

    test('refuses every request that starts after the session was closed', async () => {
      const { browser: owner, email } = await signedIn();
      for (let i = 0; i < 2; i += 1) {
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
      const open = (hash: string, meanwhile?: () => Promise<void>) =>
        wall.db.tx(async (tx) => {
          await openSession(tx, { userId, cookieHash: hash, clientToken: 'x', device: '{}', now: wall.clock.now });
          await meanwhile?.();
        });
      for (let i = 1; i < sessionsPerUser; i += 1) await open(`${userId} ${i}`);
      let second: Promise<void> | undefined;
      await open(`${userId} a`, async () => {
        second ??= open(`${userId} b`);
        if (engine === 'postgres') await untilLockWaits(wall.db);
      });
      await second;
      const sessions = await wall.db.read.selectFrom('sessions').select('id').where('user_id', '=', userId).execute();
      assert.equal(sessions.length, sessionsPerUser);
    });

    test('personal responses are not cached', async () => {
      const { browser } = await signedIn();
      const lists = ['/sessions', '/posts', '/posts?filter=liked', '/users/current/notifications'];
      for (const path of ['/users/current', ...lists]) {
        assert.equal((await browser.send('GET', path)).headers['cache-control'], 'no-store');
      }
    });
  });
}

const noticesTo = ({ mail }: Wall, address: string) =>
  mail.received.filter(({ to, text }) => to.includes(address) && text.includes('с нового устройства'));

for (const engine of engines) {
  describe(`a sign-in from a new device on ${engine}`, () => {
    test('is reported to the owner with the device and how to end the session', async () => {
      await using wall = await openWall(engine);
      const owner = await register(wall);
      await allMailsSent(wall);
      assert.deepEqual(noticesTo(wall, owner.email), [], 'no notice after a registration');

      const stranger = await signInElsewhere(wall, owner);
      const { text } = await wall.mail.mailTo(owner.email, (mail) => mail.text.includes('с нового устройства'));
      assert.match(text, /с нового устройства: Chrome 142, Windows 11\./);
      assert.match(text, /14 ноября 2023 г\. в 22:\d\d UTC/);
      assert.match(text, /^http:\/\/localhost:3000\/settings\/devices$/m);
      assert.doesNotMatch(text, /\d{6}/);

      // The same browser again, and the first one: both are known devices now.
      for (const browser of [stranger, owner]) {
        wall.clock.now += 61;
        await browser.enter('logins', owner.email);
      }
      await allMailsSent(wall);
      assert.equal(noticesTo(wall, owner.email).length, 1);
    });

    test('is reported also after a registration with an address that has an account, and not when it fails', async () => {
      await using wall = await openWall(engine);
      const { email } = await register(wall);
      wall.clock.now += 61;
      const stranger = openBrowser(wall);
      const { id } = (await stranger.start('registrations', email)).json();
      const code = await wall.mail.codeTo(email);
      await stranger.verify('registrations', id, wrong(code));
      await allMailsSent(wall);
      assert.deepEqual(noticesTo(wall, email), []);
      await stranger.verify('registrations', id, code);
      await wall.mail.mailTo(email, ({ text }) => text.includes('с нового устройства'));
    });
  });
}

test('on https cookies are bound to the host', async () => {
  await using wall = await openWall('sqlite', { PUBLIC_URL: 'https://wall.example' });
  const entered = await openBrowser(wall).enter('registrations', newAddress());
  assert.deepEqual(
    entered.cookies.map(({ name, secure, httpOnly }) => [name, secure, httpOnly]),
    [
      ['__Host-session', true, true],
      ['__Host-signed-in', true, undefined],
      ['__Host-device', true, true],
    ],
  );
});
