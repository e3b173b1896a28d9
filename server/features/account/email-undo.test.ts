import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { changeEmail, emailOf, linkTo, press } from '../../../test/kit/email-changes.ts';
import { engines } from '../../../test/kit/engines.ts';
import {
  deleteAccount,
  signInElsewhere,
  outcome,
  register,
  startDeletion,
  startEmailChange,
} from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

const hour = 3_600;

for (const engine of engines) {
  describe(`undoing a change of address on ${engine}`, () => {
    const open = () => openWall(engine, { ACCESS_TOKEN_SECONDS: String(200 * hour) });

    test('restores the address, ends all sessions, and works once', async () => {
      await using wall = await open();
      const anna = await register(wall);
      const elsewhere = await signInElsewhere(wall, anna);
      const stranger = newAddress();
      await changeEmail(wall, anna, stranger);
      const link = await linkTo(wall, anna.email);
      const { token_hash: stored } = await wall.db.read
        .selectFrom('email_changes')
        .selectAll()
        .executeTakeFirstOrThrow();
      assert.ok(!link.includes(stored), 'the token is stored as a hash');

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

      const again = await signInElsewhere(wall, anna);
      assert.equal(again.id, anna.id);
      const refused = await startEmailChange(again, newAddress());
      assert.equal(refused.statusCode, 403);
    });

    test('prevents changes of the address for 72 hours', async () => {
      await using wall = await open();
      const anna = await register(wall);
      await changeEmail(wall, anna, newAddress());
      assert.equal(await press(wall, await linkTo(wall, anna.email)), 'done');
      const browser = await signInElsewhere(wall, anna);
      wall.clock.now += 71 * hour;
      const refused = await startEmailChange(browser, newAddress());
      assert.deepEqual(refused.json(), {
        code: 'FORBIDDEN',
        message: 'Смену адреса недавно отменили. Изменить его снова можно будет через 1 ч.',
      });
      wall.clock.now += hour;
      assert.deepEqual(await outcome(startEmailChange(browser, newAddress())), [201]);
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

    test('restores the original address after several changes; the first link wins', async () => {
      await using wall = await open();
      const anna = await register(wall);
      const [second, third] = [newAddress(), newAddress()];
      await changeEmail(wall, anna, second);
      wall.clock.now += hour;
      await changeEmail(wall, anna, third);
      const [first, later] = [await linkTo(wall, anna.email), await linkTo(wall, second)];
      assert.equal(await press(wall, first), 'done');
      assert.equal(await emailOf(wall, anna), anna.email);
      assert.equal(await press(wall, later), 'used');

      const boris = await register(wall);
      await changeEmail(wall, boris, newAddress());
      wall.clock.now += hour;
      const { email: between } = (await boris.send('GET', '/users/current')).json();
      await changeEmail(wall, boris, newAddress());
      assert.equal(await press(wall, await linkTo(wall, between)), 'done');
      assert.equal(await emailOf(wall, boris), boris.email);
    });

    test('prevents deletion of the account while it is possible', async () => {
      await using wall = await open();
      const anna = await register(wall);
      await changeEmail(wall, anna, newAddress());
      const refused = await startDeletion(anna);
      assert.deepEqual([refused.statusCode, refused.json().code], [403, 'FORBIDDEN']);
      assert.match(refused.json().message, /через 72 ч\.$/);
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

    test('becomes impossible when the owner changes the address back with a code', async () => {
      await using wall = await open();
      const anna = await register(wall);
      await changeEmail(wall, anna, newAddress());
      const link = await linkTo(wall, anna.email);
      wall.clock.now += 61;
      await changeEmail(wall, anna, anna.email);
      assert.equal(await press(wall, link), 'expired');
      assert.deepEqual(await outcome(startDeletion(anna)), [201]);
    });
  });
}
