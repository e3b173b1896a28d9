import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { admin } from '../../../test/kit/admin.ts';
import { changeEmail, emailOf, linkTo, press } from '../../../test/kit/email-changes.ts';
import { confirm, registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import {
  deleteAccount,
  type Member,
  outcome,
  register,
  signInElsewhere,
  startDeletion,
  startEmailChange,
  verifyEmailChange,
} from '../../../test/kit/member.ts';
import { seedOf } from '../../../test/kit/seed.ts';
import { newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { now } from '../../../test/kit/signed-in.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { applyEmailChanges } from '../../ops/jobs/wall-jobs.ts';
import { addEmailChange } from './email-changes.ts';

const hour = 3_600;

for (const engine of engines) {
  describe(`undoing a change of address on ${engine}`, () => {
    const open = () => openWall(engine, { ACCESS_TOKEN_SECONDS: String(200 * hour) });

    test('restores the address, ends all sessions, works once, and prevents a change for 72 hours', async () => {
      await using wall = await open();
      const anna = await register(wall);
      const elsewhere = await signInElsewhere(wall, anna);
      const stranger = newAddress();
      await changeEmail(wall, anna, stranger);
      const link = await linkTo(wall, anna.email);
      const [stored] = await wall.db.read.selectFrom('email_changes').selectAll().execute();
      assert.ok(!link.includes(stored!.token_hash), 'the token is stored as a hash');

      for (let i = 0; i < 2; i += 1) assert.match((await wall.get(link)).text, /Отменить смену адреса\?/);
      assert.equal(await emailOf(wall, anna), stranger, 'opening the page changes nothing');
      const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
      assert.equal((await wall.app.inject({ method: 'POST', url: link, headers: foreign })).statusCode, 403);

      const responses = await Promise.all(Array.from({ length: 10 }, () => press(wall, link)));
      assert.deepEqual(responses.toSorted(), ['done', ...Array<string>(9).fill('used')]);
      assert.equal(await emailOf(wall, anna), anna.email);
      for (const browser of [anna, elsewhere]) {
        assert.deepEqual(await outcome(browser.send('GET', '/users/current')), [401, 'UNAUTHORIZED']);
      }
      const { text } = await wall.mail.mailTo(stranger, (mail) => mail.text.includes('смену адреса отменили'));
      assert.ok(!text.includes(anna.email));

      // For 72 hours the address does not change again.
      const again = await signInElsewhere(wall, anna);
      assert.equal(again.id, anna.id);
      wall.clock.now += 71 * hour - 61;
      const refused = (await startEmailChange(again, newAddress())).json();
      assert.equal(refused.code, 'FORBIDDEN');
      assert.match(refused.message, /^Смену адреса недавно отменили\. Изменить его снова можно будет через 1 ч\.$/);
      wall.clock.now += hour;
      assert.deepEqual(await outcome(startEmailChange(again, newAddress())), [201]);
    });

    test('is possible for 72 hours, only with the link', async () => {
      await using wall = await open();
      const anna = await register(wall);
      const to = newAddress();
      await changeEmail(wall, anna, to);
      const link = await linkTo(wall, anna.email);
      for (const wrong of ['/undo-email', '/undo-email?token=', `${link}a`, '/undo-email?token=a&token=b']) {
        assert.equal(await press(wall, wrong), 'unknown');
      }
      wall.clock.now += 72 * hour;
      assert.equal(await press(wall, link), 'expired');
      assert.equal(await emailOf(wall, anna), to);
    });

    test('prevents another change while it is possible, says until when, and takes back what an operator changed later', async () => {
      await using wall = await open();
      const anna = await register(wall);
      const refused = async () => (await anna.send('GET', '/users/current/email')).json().refused;
      assert.equal(await refused(), null);
      // A code that was sent before the change changes nothing after it.
      const waiting = (await startEmailChange(anna, newAddress())).json();
      await changeEmail(wall, anna, newAddress());
      assert.deepEqual(await outcome(verifyEmailChange(anna, waiting.id, '000000')), [400, 'OPERATION_EXPIRED']);
      wall.clock.now += hour;
      for (const to of [newAddress(), anna.email]) {
        const { statusCode, json } = await startEmailChange(anna, to);
        assert.deepEqual([statusCode, json().code, json().message], [403, 'FORBIDDEN', await refused()]);
      }
      assert.match(await refused(), /смену ещё можно отменить\. Изменить его снова можно будет через 71 ч\.$/);
      const link = await linkTo(wall, anna.email);
      const ordered = newAddress();
      await wall.db.tx(async (tx) =>
        addEmailChange(tx, {
          userId: Number(anna.id),
          email: await emailOf(wall, anna),
          newEmail: ordered,
          now: wall.clock.now,
        }),
      );
      wall.clock.now += 48 * hour + 1;
      await applyEmailChanges(wall.db, wall.clock.now, pino({ level: 'silent' }));
      assert.equal(await emailOf(wall, anna), ordered);
      assert.equal(await press(wall, link), 'done');
      assert.equal(await emailOf(wall, anna), anna.email);
    });

    test('keeps the wall as it is while it is possible, whoever holds the session of an owner', async () => {
      await using wall = await open();
      const owner = await registerModerator(wall, 'owner');
      const { settings, invite_terms } = (await owner.send('GET', '/keep')).json();
      await changeEmail(wall, owner, newAddress());
      const refused = async (method: 'PUT' | 'POST', path: string, body: object | undefined, about: string) => {
        const { statusCode, json } = await owner.send(method, path, body);
        assert.deepEqual([statusCode, json().code], [403, 'FORBIDDEN'], path);
        assert.match(json().message, new RegExp(`можно отменить\\. ${about}.* можно будет через 72 ч\\.$`));
      };
      const who = 'Менять, кто читает, кто приходит и куда писать,';
      for (const part of [
        { readers: 'members' },
        { registration: 'invite' },
        { contact: 'a@b.org' },
        { invite_terms: { ...invite_terms, invite_links: 9 } },
      ])
        await refused('PUT', '/keep/settings', part, who);
      await refused('PUT', '/keep/texts/rules', { markdown: 'Платите сюда' }, 'Менять тексты стены');
      const kept = { ...settings, line: 'Двор' };
      assert.deepEqual(await outcome(owner.send('PUT', '/keep/settings', kept)), [200], 'the rest can be changed');

      const invite = { reason: 'Соседи', count: 1, seats: 2 };
      assert.deepEqual(await outcome(owner.send('POST', '/moderation/invites', invite)), [201]);
      assert.deepEqual(await outcome(owner.send('POST', '/users/current/invitations')), [201]);
      await refused('POST', '/users/current/invitations', undefined, 'Приглашать больше 3 человек');
      await refused('POST', '/moderation/invites', { ...invite, seats: 1 }, 'Приглашать больше 3 человек');
      wall.clock.now += 72 * hour;
      assert.deepEqual(await outcome(owner.send('PUT', '/keep/settings', { readers: 'members' })), [200]);
      assert.deepEqual(await outcome(owner.send('POST', '/moderation/invites', { ...invite, seats: 100 })), [201]);
    });

    test('sends codes that confirm something to the previous address while it is possible', async () => {
      await using wall = await open();
      const anna = await registerModerator(wall, 'owner');
      const stolen = newAddress();
      await changeEmail(wall, anna, stolen);
      const { clientToken } = anna;
      for (const path of ['/moderation/confirmation', '/users/current/tokens']) {
        const started = await anna.send('POST', path, { clientToken });
        assert.deepEqual([started.statusCode, started.json().email], [201, anna.email], path);
        await wall.mail.codeTo(anna.email);
      }
      wall.clock.now += 61;
      await confirm(wall, anna);
      wall.clock.now += 72 * hour;
      assert.equal((await anna.send('POST', '/moderation/confirmation', { clientToken })).json().email, stolen);
    });

    test('prevents deletion and replacement of the account while it is possible', async () => {
      await using wall = await open();
      const anna = await register(wall);
      await changeEmail(wall, anna, newAddress());
      const refused = await startDeletion(anna);
      assert.deepEqual([refused.statusCode, refused.json().code], [403, 'FORBIDDEN']);
      assert.match(refused.json().message, /через 72 ч\.$/);
      const { code } = await seedOf(wall.db).imported('boris_schukin');
      assert.deepEqual(await outcome(anna.send('POST', `/claims/${code}`)), [403, 'FORBIDDEN']);
      wall.clock.now += 72 * hour;
      const { email } = (await anna.send('GET', '/users/current')).json();
      await deleteAccount(wall, { ...anna, email });
      assert.deepEqual(await wall.db.read.selectFrom('email_changes').selectAll().execute(), []);
    });

    test('reserves the address for 72 hours and shows only its owner why', async () => {
      await using wall = await open();
      const [anna, boris] = [await register(wall), await register(wall)];
      await changeEmail(wall, anna, newAddress());
      assert.deepEqual(await outcome(startEmailChange(boris, anna.email)), [400, 'EMAIL_ALREADY_EXISTS']);
      wall.clock.now += 61;
      const browser = openBrowser(wall);
      assert.deepEqual(await outcome(browser.start('logins', anna.email)), [400, 'USER_NOT_FOUND']);
      const refused = await browser.enter('registrations', anna.email);
      assert.deepEqual([refused.statusCode, refused.json().code], [400, 'EMAIL_ALREADY_EXISTS']);
      assert.match(refused.json().message, /верните его по ссылке из нашего письма/);
      assert.equal(await press(wall, await linkTo(wall, anna.email)), 'done');

      const clara = await register(wall);
      await changeEmail(wall, clara, newAddress());
      wall.clock.now += 72 * hour;
      assert.notEqual((await register(wall, clara.email)).id, clara.id);
    });
  });

  describe(`an operator’s change of address on ${engine}`, () => {
    const ask = async (wall: Wall, member: Member, newEmail: string) =>
      wall.db.tx((tx) =>
        addEmailChange(tx, { userId: Number(member.id), email: member.email, newEmail, now: wall.clock.now }),
      );
    const apply = (wall: Wall) => applyEmailChanges(wall.db, wall.clock.now, pino({ level: 'silent' }));

    test('takes effect after 48 hours, unless it was refused or became void', async () => {
      await using wall = await openWall(engine, { ACCESS_TOKEN_SECONDS: String(200 * hour) });
      const [anna, boris] = [await register(wall), await register(wall)];
      const [clara, dora] = [await register(wall), await register(wall)];
      const wanted = newAddress();
      await ask(wall, anna, wanted);
      const refusal = await ask(wall, boris, newAddress());
      await ask(wall, clara, newAddress());
      const own = newAddress();
      await changeEmail(wall, clara, own);
      wall.clock.now += 1;
      await ask(wall, dora, wanted);
      wall.clock.now += 48 * hour - 2;
      await apply(wall);
      assert.equal(await emailOf(wall, anna), anna.email, 'not yet');
      assert.equal(await press(wall, `/undo-email?token=${refusal}`), 'done');

      wall.clock.now += 2;
      await Promise.all([apply(wall), apply(wall)]);
      const emails = await Promise.all([anna, boris, clara, dora].map((member) => emailOf(wall, member)));
      assert.deepEqual(emails, [wanted, boris.email, own, dora.email]);
      for (const member of [anna, boris]) {
        assert.deepEqual(await outcome(member.send('GET', '/users/current')), [401, 'UNAUTHORIZED']);
      }
      assert.deepEqual(await outcome(dora.send('GET', '/users/current')), [200], 'somebody else has the address');
      assert.equal((await openBrowser(wall).enter('logins', wanted)).statusCode, 200);
    });

    /** A thief has changed the address. The command takes its time from the clock of the machine, so the wall does too. */
    async function robbed(wall: Wall) {
      wall.clock.now = now();
      const anna = await register(wall);
      const stolen = newAddress();
      await changeEmail(wall, anna, stolen);
      const order = async (email: string) => {
        await admin(wall.db, 'change-email', anna.username, email, '--reason', 'нет доступа к почте');
        wall.clock.now = now();
      };
      return { anna, stolen, order, link: await linkTo(wall, anna.email) };
    }

    test('leaves the link of the first owner, whoever refuses it, and cannot be refused when that was used', async () => {
      await using wall = await openWall(engine);
      for (const isRefused of [true, false]) {
        const { anna, stolen, order, link } = await robbed(wall);
        await order(newAddress());
        const refusal = await linkTo(wall, stolen);
        if (isRefused) {
          assert.equal(await press(wall, refusal), 'done');
          assert.equal(await emailOf(wall, anna), stolen);
        }
        assert.equal(await press(wall, link), 'done');
        if (!isRefused) assert.equal(await press(wall, refusal), 'used');
        assert.equal(await emailOf(wall, anna), anna.email);
      }
    });

    test('can give the first address back, which is reserved for the same account only', async () => {
      await using wall = await openWall(engine);
      const { anna, order } = await robbed(wall);
      const boris = await register(wall);
      await assert.rejects(
        admin(wall.db, 'change-email', boris.username, anna.email, '--reason', 'просьба'),
        /адрес уже занят/,
      );
      await order(anna.email);
      wall.clock.now += 48 * hour + 60;
      await apply(wall);
      assert.equal(await emailOf(wall, anna), anna.email);
    });
  });
}
