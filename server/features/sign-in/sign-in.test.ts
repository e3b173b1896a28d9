import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { device, newAddress, openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { startProcessorClock } from '../../../test/kit/processor-time.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  describe(`signing in on ${engine}`, () => {
    let wall: Wall;
    before(async () => void (wall = await openWall(engine)));
    after(() => wall.close());
    /** Longer than the pause between two codes. */
    const later = (seconds = 61): void => void (wall.clock.now += seconds);

    test('registers a new person', async () => {
      const browser = openBrowser(wall);
      const email = newAddress();
      const unknown = await browser.start('logins', email);
      assert.deepEqual([unknown.statusCode, unknown.json().code], [400, 'USER_NOT_FOUND']);

      const entered = await browser.enter('registrations', ` ${email.toUpperCase()} `.trim());
      assert.equal(entered.statusCode, 200, entered.body);
      assert.equal(entered.json().accessToken.expiresAt, wall.clock.now + 600);
      const json = (await browser.send('GET', '/users/current')).json();
      assert.equal(json.email, email);
      assert.match(json.username, /^user_[a-z0-9]{8}$/);
      assert.deepEqual(Object.keys(json), ['id', 'username', 'display_name', 'about', 'email']);
    });

    test('signs in a known person, also by a registration with a known address', async () => {
      const email = newAddress();
      await openBrowser(wall).enter('registrations', email);
      const ids: string[] = [];
      for (const purpose of ['logins', 'registrations'] as const) {
        later();
        const browser = openBrowser(wall);
        await browser.enter(purpose, email);
        ids.push((await browser.send('GET', '/users/current')).json().id);
      }
      assert.equal(ids[0], ids[1]);
    });

    test('the session cookie is inaccessible to scripts and other sites', async () => {
      const browser = openBrowser(wall);
      browser.cookies.set('session', 'x'.repeat(43));
      const entered = await browser.enter('registrations', newAddress());
      assert.deepEqual(
        entered.cookies.map(({ name }) => name),
        ['session', 'device'],
      );
      for (const cookie of entered.cookies) {
        assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Strict', '/']);
        assert.match(cookie.value, /^[\w-]{43}$/);
      }
      const session = entered.cookies[0]!;
      assert.equal(session.maxAge, 90 * 24 * 3_600);
      assert.notEqual(session.value, 'x'.repeat(43));
      const stored = await wall.db.read.selectFrom('sessions').selectAll().execute();
      assert.ok(!JSON.stringify(stored).includes(session.value));
    });

    test('rejects a code after five wrong tries', async () => {
      const browser = openBrowser(wall);
      const email = newAddress();
      const { id } = (await browser.start('registrations', email)).json();
      const code = await wall.mail.codeTo(email);
      const codes: string[] = [];
      for (let i = 0; i < 7; i += 1) codes.push((await browser.verify('registrations', id, wrong(code))).json().code);
      assert.deepEqual(codes, [
        ...Array<string>(4).fill('INVALID_CONFIRM_CODE'),
        ...Array<string>(3).fill('MAX_CONFIRM_ATTEMPTS'),
      ]);
      const right = await browser.verify('registrations', id, code);
      assert.equal(right.json().code, 'MAX_CONFIRM_ATTEMPTS');
    });

    test('compares exactly five of many concurrent wrong codes', async () => {
      const browser = openBrowser(wall);
      const email = newAddress();
      const { id } = (await browser.start('registrations', email)).json();
      const code = await wall.mail.codeTo(email);
      const responses = await Promise.all(
        Array.from({ length: 500 }, () => browser.verify('registrations', id, wrong(code))),
      );
      const judged = responses.filter((response) => response.json().code === 'INVALID_CONFIRM_CODE').length;
      assert.equal(judged, 4, 'the response to the fifth has another code');
      const row = await wall.db.read
        .selectFrom('operations')
        .select('attempts')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      assert.equal(row.attempts, 5);
      assert.equal((await browser.verify('registrations', id, code)).json().code, 'MAX_CONFIRM_ATTEMPTS');
    });

    test('opens exactly one session for many concurrent right codes', async () => {
      const browser = openBrowser(wall);
      const email = newAddress();
      const { id } = (await browser.start('registrations', email)).json();
      const code = await wall.mail.codeTo(email);
      const responses = await Promise.all(Array.from({ length: 300 }, () => browser.verify('registrations', id, code)));
      assert.equal(responses.filter((response) => response.statusCode === 200).length, 1);
      assert.ok(
        responses.every((response) => response.statusCode === 200 || response.json().code === 'OPERATION_EXPIRED'),
      );
      const user = await wall.db.read
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      const sessions = await wall.db.read.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute();
      assert.equal(sessions.length, 1);
    });

    test('a code works for its own operation, purpose and client only', async () => {
      const email = newAddress();
      await openBrowser(wall).enter('registrations', email);
      later();
      const one = openBrowser(wall);
      const other = openBrowser(wall);
      const login = (await one.start('logins', email)).json().id;
      const loginCode = await wall.mail.codeTo(email);
      const registration = (await one.start('registrations', email)).json().id;
      const registrationCode = await wall.mail.codeTo(email);

      assert.equal((await one.verify('registrations', login, loginCode)).json().code, 'OPERATION_EXPIRED');
      assert.equal((await one.verify('logins', registration, registrationCode)).json().code, 'OPERATION_EXPIRED');
      assert.equal((await one.verify('logins', 'nothing', loginCode)).json().code, 'OPERATION_EXPIRED');
      assert.equal((await other.verify('logins', login, loginCode)).json().code, 'INVALID_REQUEST');
      if (loginCode !== registrationCode) {
        assert.equal((await one.verify('logins', login, registrationCode)).json().code, 'INVALID_CONFIRM_CODE');
      }
      assert.equal((await one.verify('logins', login, loginCode)).statusCode, 200);
      assert.equal((await one.verify('logins', login, loginCode)).json().code, 'OPERATION_EXPIRED', 'used');
    });

    test('accepts a code for ten minutes', async () => {
      const browser = openBrowser(wall);
      const email = newAddress();
      const { id } = (await browser.start('registrations', email)).json();
      const code = await wall.mail.codeTo(email);
      later(600);
      assert.equal((await browser.verify('registrations', id, code)).json().code, 'OPERATION_EXPIRED');
    });

    test('a new code replaces the older one of the same client, not that of another client', async () => {
      const email = newAddress();
      const [owner, stranger] = [openBrowser(wall), openBrowser(wall)];
      const first = (await owner.start('registrations', email)).json().id;
      const firstCode = await wall.mail.codeTo(email);
      const early = await owner.start('registrations', email);
      assert.deepEqual([early.statusCode, early.headers['retry-after']], [429, '60']);
      later();
      await stranger.start('registrations', email);
      await wall.mail.codeTo(email);
      later();
      const second = (await owner.start('registrations', email)).json().id;
      const secondCode = await wall.mail.codeTo(email);
      assert.equal((await owner.verify('registrations', first, firstCode)).json().code, 'OPERATION_EXPIRED');
      assert.equal((await owner.verify('registrations', second, secondCode)).statusCode, 200);
    });

    test('neither the database nor a response contains a code in clear', async () => {
      const browser = openBrowser(wall);
      const email = newAddress();
      const started = await browser.start('registrations', email);
      const mail = await wall.mail.mailTo(email);
      const codes = mail.text.match(/\d{6,}/g) ?? [];
      assert.equal(codes.length, 1, 'the only run of six digits');
      assert.match(mail.text, /10 минут/);
      assert.match(mail.text, new RegExp(`${device.userAgent} 142, ${device.os}`));
      const rows = [
        await wall.db.read.selectFrom('operations').selectAll().where('email', '=', email).execute(),
        await wall.db.read.selectFrom('outbox').selectAll().where('recipient', '=', email).execute(),
      ];
      assert.ok(!JSON.stringify(rows).includes(codes.join()));
      assert.ok(!started.body.includes(codes.join()));
    });

    test('only the client that started learns the state of the mail', async () => {
      const browser = openBrowser(wall);
      const email = newAddress();
      const { id } = (await browser.start('registrations', email)).json();
      await wall.mail.mailTo(email);
      const state = async (token = browser.clientToken) =>
        (await browser.send('GET', `/mail/${id}?clientToken=${encodeURIComponent(token)}`)).json();
      for (let i = 0; i < 100 && (await state()).state === 'sending'; i += 1)
        await new Promise((resolve) => setTimeout(resolve, 20));
      assert.deepEqual(await state(), { state: 'accepted' });
      assert.equal((await state('another')).code, 'NOT_FOUND');
      assert.equal((await browser.send('GET', '/mail/nothing?clientToken=x')).statusCode, 404);
    });

    test('the work of a response does not reveal whether an address has an account', async () => {
      const known = newAddress();
      await openBrowser(wall).enter('registrations', known);
      // The least of many: other work of this thread only adds.
      const spent = { known: Infinity, unknown: Infinity };
      const sending = Promise.withResolvers<void>();
      wall.mail.replyAfter(() => sending.promise);
      for (let i = 0; i < 20; i += 1) {
        later(86_400);
        for (const kind of ['known', 'unknown'] as const) {
          const spentMs = startProcessorClock();
          await openBrowser(wall).start('logins', kind === 'known' ? known : newAddress());
          spent[kind] = Math.min(spent[kind], spentMs());
        }
      }
      sending.resolve();
      wall.mail.replyAfter(async () => {});
      assert.ok(Math.abs(spent.known - spent.unknown) < 10, JSON.stringify(spent));
    });
  });
}
