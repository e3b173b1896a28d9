import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newAddress, openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, outcome, register, startEmailChange, verifyEmailChange } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

for (const engine of engines) {
  describe(`a change of address on ${engine}`, () => {
    test('is confirmed by a code sent to the new address and reported to the old one', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const to = newAddress();
      const started = await startEmailChange(anna, ` ${to.toUpperCase()} `);
      assert.equal(started.statusCode, 201, started.body);
      assert.deepEqual(Object.keys(started.json()), ['id']);
      assert.equal((await anna.send('GET', '/users/current')).json().email, anna.email, 'not yet');

      const verified = await verifyEmailChange(anna, started.json().id, await wall.mail.codeTo(to));
      assert.equal(verified.statusCode, 200, verified.body);
      assert.deepEqual(verified.json(), { email: to });
      assert.equal((await anna.send('GET', '/users/current')).json().email, to);

      const notice = await wall.mail.mailTo(anna.email, ({ text }) => text.includes('изменили'));
      assert.match(notice.text, /изменили на p\*\*\*@example\.org/);
      assert.match(notice.text, /http:\/\/localhost:3000\/undo-email\?token=/);
      assert.doesNotMatch(notice.text.replace(/token=\S+/, ''), /\d{6}/);
      assert.doesNotMatch(notice.text, new RegExp(to), 'the old mailbox does not receive the new address');

      wall.clock.now += 61;
      const browser = openBrowser(wall);
      assert.deepEqual(await outcome(browser.start('logins', anna.email)), [400, 'USER_NOT_FOUND']);
      await browser.enter('logins', to);
      assert.equal((await browser.send('GET', '/users/current')).json().id, anna.id);
    });

    test('refuses an address that already belongs to an account, also the own one', async () => {
      await using wall = await openWall(engine);
      const [anna, boris] = [await register(wall), await register(wall)];
      for (const taken of [boris.email, boris.email.toUpperCase(), anna.email]) {
        assert.deepEqual(await outcome(startEmailChange(anna, taken)), [400, 'EMAIL_ALREADY_EXISTS']);
      }
      for (const malformed of ['anna', 'a@b', 'victim@x.ru,evil@y.ru']) {
        const refused = await startEmailChange(anna, malformed);
        assert.deepEqual(
          [refused.statusCode, refused.json()],
          [400, { code: 'INVALID_REQUEST', message: 'Введите корректный email' }],
        );
      }
    });

    test('refuses an address that was taken after its code was sent', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const wanted = newAddress();
      const { id } = (await startEmailChange(anna, wanted)).json();
      const code = await wall.mail.codeTo(wanted);
      await register(wall, wanted);
      assert.deepEqual(await outcome(verifyEmailChange(anna, id, code)), [400, 'EMAIL_ALREADY_EXISTS']);
      assert.equal((await anna.send('GET', '/users/current')).json().email, anna.email);
      assert.deepEqual(await outcome(verifyEmailChange(anna, id, code)), [400, 'OPERATION_EXPIRED'], 'used');
    });

    test('gives an address confirmed by many people at once to one of them', async () => {
      await using wall = await openWall(engine);
      const wanted = newAddress();
      const attempts = [];
      for (let i = 0; i < 5; i += 1) {
        const member = await register(wall);
        const { id } = (await startEmailChange(member, wanted)).json();
        attempts.push({ member, id, code: await wall.mail.codeTo(wanted) });
        wall.clock.now += 60;
      }
      const responses = await Promise.all(
        attempts.map(({ member, id, code }) => outcome(verifyEmailChange(member, id, code))),
      );
      assert.equal(responses.filter(([status]) => status === 200).length, 1);
      assert.equal(responses.filter(([, got]) => got === 'EMAIL_ALREADY_EXISTS').length, 4);
    });

    test('counts and refuses wrong codes as at sign-in', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const to = newAddress();
      const { id } = (await startEmailChange(anna, to)).json();
      const code = await wall.mail.codeTo(to);
      const stranger = { ...anna, clientToken: 'another client' };
      assert.deepEqual(await outcome(verifyEmailChange(stranger, id, code)), [400, 'INVALID_REQUEST']);
      assert.deepEqual(await outcome(verifyEmailChange(anna, 'nothing', code)), [400, 'OPERATION_EXPIRED']);
      const tries = await Promise.all(
        Array.from({ length: 50 }, () => outcome(verifyEmailChange(anna, id, wrong(code)))),
      );
      assert.equal(tries.filter(([, got]) => got === 'INVALID_CONFIRM_CODE').length, 4);
      assert.equal(tries.filter(([, got]) => got === 'MAX_CONFIRM_ATTEMPTS').length, 46);
      assert.deepEqual(await outcome(verifyEmailChange(anna, id, code)), [400, 'MAX_CONFIRM_ATTEMPTS']);
    });

    test('sends a new code after a minute, which invalidates the older one', async () => {
      await using wall = await openWall(engine);
      const anna = await register(wall);
      const to = newAddress();
      const first = (await startEmailChange(anna, to)).json().id;
      const firstCode = await wall.mail.codeTo(to);
      const early = await startEmailChange(anna, to);
      assert.deepEqual(
        [early.statusCode, early.json().code, early.headers['retry-after']],
        [429, 'TOO_MANY_REQUESTS', '60'],
      );
      wall.clock.now += 60;
      const second = (await startEmailChange(anna, to)).json().id;
      const secondCode = await wall.mail.codeTo(to);
      assert.deepEqual(await outcome(verifyEmailChange(anna, first, firstCode)), [400, 'OPERATION_EXPIRED']);
      assert.deepEqual(await outcome(verifyEmailChange(anna, second, secondCode)), [200]);
    });

    test('limits the codes to one address for all accounts and devices together', async () => {
      await using wall = await openWall(engine, { ACCESS_TOKEN_SECONDS: '200000' });
      const members = await Promise.all(Array.from({ length: 12 }, () => register(wall)));
      const to = newAddress();
      const started: Array<{ member: Member; id: string; code: string }> = [];
      const statuses = [];
      for (const member of members) {
        const response = await startEmailChange(member, to);
        statuses.push(response.statusCode);
        if (response.statusCode === 201) {
          started.push({ member, id: response.json().id, code: await wall.mail.codeTo(to) });
        }
      }
      assert.deepEqual(statuses, [201, ...Array<number>(11).fill(429)], 'one code a minute');
      for (const member of members.slice(1, 5)) {
        wall.clock.now += 60;
        const { id } = (await startEmailChange(member, to)).json();
        started.push({ member, id, code: await wall.mail.codeTo(to) });
      }
      wall.clock.now += 60;
      assert.equal((await startEmailChange(members[5]!, to)).statusCode, 429, 'five codes an hour');

      const responses = [];
      for (const { member, id, code } of started) {
        for (let i = 0; i < 5; i += 1) responses.push((await outcome(verifyEmailChange(member, id, wrong(code))))[1]);
      }
      assert.equal(responses.filter((code) => code !== 'TOO_MANY_REQUESTS').length, 10, 'ten wrong codes an hour');
    });

    test('accepts a code for ten minutes', async () => {
      await using wall = await openWall(engine, { ACCESS_TOKEN_SECONDS: '3600' });
      const anna = await register(wall);
      const to = newAddress();
      const { id } = (await startEmailChange(anna, to)).json();
      const code = await wall.mail.codeTo(to);
      wall.clock.now += 600;
      assert.deepEqual(await outcome(verifyEmailChange(anna, id, code)), [400, 'OPERATION_EXPIRED']);
    });

    test('reveals at most five taken addresses a day to one account', async () => {
      await using wall = await openWall(engine, { ACCESS_TOKEN_SECONDS: '200000' });
      const [anna, boris] = [await register(wall), await register(wall)];
      for (let i = 0; i < 5; i += 1) {
        assert.deepEqual(await outcome(startEmailChange(anna, boris.email)), [400, 'EMAIL_ALREADY_EXISTS']);
        wall.clock.now += 60;
      }
      const refused = await startEmailChange(anna, boris.email);
      assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, String(86_400 - 300)]);
      // The budget belongs to the person, not to the network.
      assert.equal((await startEmailChange({ ...anna, send: from('10.99.0.1') }, boris.email)).statusCode, 429);
      // The status does not distinguish a free address from a taken one.
      const free = await startEmailChange(anna, newAddress());
      assert.deepEqual(
        [free.statusCode, free.json(), free.headers['retry-after']],
        [429, refused.json(), String(86_400 - 300)],
      );
      assert.deepEqual(await outcome(startEmailChange(boris, anna.email)), [400, 'EMAIL_ALREADY_EXISTS']);
      wall.clock.now += 86_400;
      assert.deepEqual(await outcome(startEmailChange(anna, newAddress())), [201]);
      assert.deepEqual(await outcome(startEmailChange(anna, boris.email)), [400, 'EMAIL_ALREADY_EXISTS']);

      function from(ip: string): typeof anna.send {
        return (...request) => {
          const before = anna.ip;
          anna.ip = ip;
          return anna.send(...request).finally(() => (anna.ip = before));
        };
      }
    });

    test('reveals at most sixty taken addresses an hour to one network', async () => {
      await using wall = await openWall(engine);
      const members = await Promise.all(Array.from({ length: 13 }, () => register(wall)));
      const taken = members[0]!.email;
      for (const member of members) member.ip = '10.98.0.1';
      const responses: string[] = [];
      for (let i = 0; i < 61; i += 1) {
        const { statusCode, json, headers } = await startEmailChange(members[Math.floor(i / 5)]!, taken);
        responses.push(json().code);
        if (statusCode === 429) assert.ok(Number(headers['retry-after']) > 0);
      }
      assert.deepEqual(responses, [...Array<string>(60).fill('EMAIL_ALREADY_EXISTS'), 'TOO_MANY_REQUESTS']);
      members[12]!.ip = '10.98.0.2';
      assert.deepEqual(await outcome(startEmailChange(members[12]!, taken)), [400, 'EMAIL_ALREADY_EXISTS']);
    });
  });
}
