import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newAddress, openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';

const hour = 3_600;

for (const engine of engines) {
  describe(`limits of sign-in on ${engine}`, () => {
    let wall: Wall;
    before(async () => void (wall = await openWall(engine)));
    after(() => wall.close());

    test('one mail in 60 s, 5 an hour, 10 a day for an address', async () => {
      const email = newAddress();
      const counts: number[] = [];
      const begin = wall.clock.now;
      const day = 24 * 60;
      for (const minute of [
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        30,
        59,
        60,
        61,
        62,
        63,
        64,
        65,
        120,
        700,
        day - 1,
        ...Array.from({ length: 8 }, (_, i) => day + i),
      ]) {
        wall.clock.now = begin + minute * 60;
        const { statusCode, headers } = await openBrowser(wall).start('registrations', email);
        assert.ok(statusCode === 201 || (statusCode === 429 && Number(headers['retry-after']) > 0));
        if (statusCode === 201) counts.push(minute);
      }
      assert.deepEqual(counts, [0, 1, 2, 3, 4, 60, 61, 62, 63, 64, day, day + 1, day + 2, day + 3, day + 4]);
    });

    test('are exact under a burst from many devices', async () => {
      const email = newAddress();
      // The first burst finds no row of the budget, the second one does.
      for (let i = 0; i < 2; i += 1) {
        wall.clock.now += 24 * hour;
        const responses = await Promise.all(
          Array.from({ length: 40 }, () => openBrowser(wall).start('registrations', email)),
        );
        assert.deepEqual(responses.map(({ statusCode }) => String(statusCode)).toSorted(), [
          '201',
          ...Array<string>(39).fill('429'),
        ]);
      }
    });

    test('a refused sign-in does not delay the registration that follows', async () => {
      const browser = openBrowser(wall);
      const email = newAddress();
      assert.equal((await browser.start('logins', email)).json().code, 'USER_NOT_FOUND');
      assert.equal((await browser.start('registrations', email)).statusCode, 201);
    });

    test('60 starts an hour for an IP address, for all accounts', async () => {
      const { ip } = openBrowser(wall);
      const statuses: number[] = [];
      for (let i = 0; i < 62; i += 1) {
        const browser = openBrowser(wall);
        browser.ip = ip;
        statuses.push((await browser.start(i % 2 ? 'logins' : 'registrations', newAddress())).statusCode);
      }
      assert.deepEqual(statuses.slice(60), [429, 429]);
      assert.ok(statuses.slice(0, 60).every((status) => status === 201 || status === 400));
      wall.clock.now += hour;
      const later = openBrowser(wall);
      later.ip = ip;
      assert.equal((await later.start('registrations', newAddress())).statusCode, 201);
    });

    test('10 wrong codes an hour and 20 a day for an address, over all operations', async () => {
      const email = newAddress();
      const wrongTries = async (): Promise<string[]> => {
        const browser = openBrowser(wall);
        const started = await browser.start('registrations', email);
        if (started.statusCode !== 201) return [];
        const code = await wall.mail.codeTo(email);
        const codes: string[] = [];
        for (let i = 0; i < 5; i += 1)
          codes.push((await browser.verify('registrations', started.json().id, wrong(code))).json().code);
        return codes;
      };
      const judged = (codes: string[]): number => codes.filter((code) => code !== 'TOO_MANY_REQUESTS').length;
      const hours: number[] = [];
      for (let i = 0; i < 4; i += 1) {
        let tries = 0;
        for (let j = 0; j < 4; j += 1) {
          tries += judged(await wrongTries());
          wall.clock.now += 61;
        }
        hours.push(tries);
        wall.clock.now += hour;
      }
      assert.deepEqual(hours, [10, 10, 0, 0]);
    });

    test('the owner signs in on a known device while a stranger has exhausted every budget', async () => {
      const email = newAddress();
      const owner = openBrowser(wall);
      await owner.enter('registrations', email);
      wall.clock.now += 61;
      for (let i = 0; i < 6; i += 1) {
        const stranger = openBrowser(wall);
        stranger.ip = owner.ip;
        const started = await stranger.start('logins', email);
        wall.clock.now += 61;
        if (started.statusCode !== 201) continue;
        const code = await wall.mail.codeTo(email);
        for (let j = 0; j < 5; j += 1) await stranger.verify('logins', started.json().id, wrong(code));
      }
      assert.equal((await openBrowser(wall).start('logins', email)).statusCode, 429, 'a stranger is refused');
      assert.equal((await owner.enter('logins', email)).statusCode, 200);
    });

    test('RATE_LIMITS=off lifts the budgets, but not the tries of an operation nor the pause', async () => {
      await using open = await openWall(engine, { RATE_LIMITS: 'off' });
      const email = newAddress();
      for (let i = 0; i < 12; i += 1) {
        assert.equal((await openBrowser(open).start('registrations', email)).statusCode, 201);
        assert.equal((await openBrowser(open).start('registrations', email)).statusCode, 429);
        open.clock.now += 60;
      }
      const browser = openBrowser(open);
      const { id } = (await browser.start('registrations', email)).json();
      await new Promise((resolve) => setTimeout(resolve, 300));
      const responses = await Promise.all(
        Array.from({ length: 200 }, () => browser.verify('registrations', id, '000000')),
      );
      const codes = responses.map((response) => response.json().code);
      assert.equal(codes.filter((code) => code === 'INVALID_CONFIRM_CODE').length, 4);
      assert.equal(codes.filter((code) => code === 'MAX_CONFIRM_ATTEMPTS').length, 196);
    });
  });
}
