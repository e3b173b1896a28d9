import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { after, before, describe, test } from 'node:test';
import { type KyselyPlugin, TableNode, UpdateQueryNode } from 'kysely';
import type { Tx } from '../../db/database.ts';
import { newCode, newOperationId } from './sign-in-rules.ts';
import { findOrCreateUser } from './sign-in-store.ts';
import { close } from '../../../test/kit/closed-wall.ts';
import { registerModerator } from '../../../test/kit/desk.ts';
import { device, newAddress, openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { register } from '../../../test/kit/member.ts';
import { startProcessorClock } from '../../../test/kit/processor-time.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  describe(`signing in on ${engine}`, () => {
    let wall: Wall;
    before(async () => void (wall = await openWall(engine)));
    after(() => wall.close());
    /** Moves the clock on, by default further than the pause between two codes. */
    const later = (seconds = 61): void => void (wall.clock.now += seconds);

    test('registers a new person, and signs in a known one, also by a registration with a known address', async () => {
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
      assert.deepEqual(Object.keys(json), [
        'id',
        'username',
        'display_name',
        'face',
        'about',
        'email',
        'name_question',
      ]);
      for (const purpose of ['logins', 'registrations'] as const) {
        later();
        const elsewhere = openBrowser(wall);
        await elsewhere.enter(purpose, email);
        assert.equal((await elsewhere.send('GET', '/users/current')).json().id, json.id, purpose);
      }
    });

    test('concurrent registrations of an address create one account', async () => {
      const create = () => wall.db.tx((tx) => findOrCreateUser(tx, 'many@example.org', wall.clock.now));
      const found = await Promise.all(Array.from({ length: 50 }, create));
      assert.equal(new Set(found.map(({ userId }) => userId)).size, 1);
      assert.equal(found.filter(({ isNew }) => isNew).length, 1);
    });

    test('the session cookie is inaccessible to scripts and other sites', async () => {
      const browser = openBrowser(wall);
      browser.cookies.set('session', 'x'.repeat(43));
      const entered = await browser.enter('registrations', newAddress());
      assert.equal(entered.cookies.map(({ name }) => name).join(), 'session,signed-in,device');
      // `signed-in` only says which session there is.
      for (const cookie of entered.cookies.filter(({ name }) => name !== 'signed-in')) {
        assert.deepEqual([cookie.httpOnly, cookie.sameSite, cookie.path], [true, 'Strict', '/']);
        assert.match(cookie.value, /^[\w-]{43}$/);
      }
      const session = entered.cookies[0]!;
      assert.equal(session.maxAge, 90 * 24 * 3_600);
      assert.notEqual(session.value, 'x'.repeat(43));
      const stored = await wall.db.read.selectFrom('sessions').selectAll().execute();
      assert.ok(!JSON.stringify(stored).includes(session.value));
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

    test('the work of a response does not reveal whether an address has an account', async () => {
      const known = newAddress();
      await openBrowser(wall).enter('registrations', known);
      // The smallest of many measurements counts, because other work of this thread only adds time.
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

    test('on a closed wall is answered alike for members and strangers, and no mail goes to strangers', async () => {
      await using own = await openWall(engine);
      const [owner, member] = [await registerModerator(own, 'owner'), await register(own)];
      const stranger = newAddress();
      own.clock.now += 61;
      assert.equal((await openBrowser(own).start('logins', stranger)).json().code, 'USER_NOT_FOUND');
      await close(owner);

      /** All that a client learns. The code that is entered is wrong for members too. */
      async function learned(email: string): Promise<unknown[]> {
        const browser = openBrowser(own);
        const started = await browser.start('logins', email);
        assert.deepEqual([started.statusCode, Object.keys(started.json())], [201, ['id']]);
        const { id } = started.json();
        assert.match(id, /^[\w-]+$/);
        const again = await browser.start('logins', email);
        const state = () =>
          browser.send('GET', `/mail/${id}?${new URLSearchParams({ clientToken: browser.clientToken })}`);
        const atFirst = await state();
        const code = email === stranger ? '000000' : wrong(await own.mail.codeTo(email));
        const seen = [again, atFirst, await state()];
        for (let i = 0; i < 6; i += 1) seen.push(await browser.verify('logins', id, code));
        return seen.map(({ statusCode, body, headers }) => [statusCode, body, headers['retry-after']]);
      }
      assert.deepEqual(await learned(stranger), await learned(member.email));
      assert.ok(!own.mail.received.some((mail) => JSON.stringify(mail).includes(stranger)));
      const queued = own.db.read
        .selectFrom('outbox')
        .select(['sealed', 'next_try_at'])
        .where('recipient', '=', stranger);
      assert.deepEqual(await queued.execute(), [{ sealed: '', next_try_at: null }]);
      // Registration is open here: a stranger who starts one gets a code.
      assert.equal((await openBrowser(own).enter('registrations', stranger)).statusCode, 200);
    });

    test('on a closed wall runs as many queries for a stranger as for a member, also with the device cookie of another account', async () => {
      await using own = await openWall(engine);
      const owner = await registerModerator(own, 'owner');
      const [member, other] = [await register(own), await register(own)];
      await close(owner);
      own.clock.now += 61;
      let queries = 0;
      // Jobs run at the same time, outside the request, so only queries inside it are counted.
      const request = new AsyncLocalStorage<true>();
      const { tx } = own.db;
      own.db.tx = <T>(work: (counted: Tx) => Promise<T>): Promise<T> =>
        tx.call(own.db, async (opened) => {
          let here = 0;
          // The request wakes the mail sender. Only the sender updates the outbox, so its transactions are recognized and not counted.
          let isOfSender = false;
          const count: KyselyPlugin = {
            transformQuery({ node }) {
              if (UpdateQueryNode.is(node) && TableNode.is(node.table!))
                isOfSender ||= node.table.table.identifier.name === 'outbox';
              return node;
            },
            // All queries pass here. Prepared queries do not pass `transformQuery`, because they are compiled already.
            async transformResult({ result }) {
              here += 1;
              return result;
            },
          };
          const done = await work({ ...opened, db: opened.db.withPlugin(count) });
          if (request.getStore() && !isOfSender) queries += here;
          return done;
        }) as Promise<T>;
      const queriesFor = async (email: string): Promise<number> => {
        const browser = openBrowser(own);
        browser.cookies.set('device', other.cookies.get('device')!);
        queries = 0;
        const answer = await request.run(true, () => browser.start('logins', email));
        assert.equal(answer.statusCode, 201);
        return queries;
      };
      const ofStranger = await queriesFor(newAddress());
      assert.ok(ofStranger > 0);
      assert.equal(await queriesFor(member.email), ofStranger);
    });
  });
}

test('codes are six digits with leading zeros, evenly distributed; the id of an operation is 128 random bits', () => {
  const many = 20_000;
  const codes = Array.from({ length: many }, newCode);
  for (const code of codes) assert.match(code, /^\d{6}$/);
  for (let place = 0; place < 6; place += 1) {
    for (const digit of '0123456789') {
      const share = codes.filter((code) => code[place] === digit).length / many;
      assert.ok(Math.abs(share - 0.1) < 0.02, `${digit} is at place ${place} in ${share * 100} % of them`);
    }
  }
  assert.ok(new Set(codes).size > 0.97 * many, 'most codes differ');
  const ids = Array.from({ length: 1_000 }, newOperationId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.equal(Buffer.from(id, 'base64url').length, 16);
});
