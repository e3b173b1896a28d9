import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allMailsSent } from '../../../test/kit/digest.ts';
import { engines } from '../../../test/kit/engines.ts';
import { register } from '../../../test/kit/member.ts';
import { type Browser, newAddress, openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { notOnLocalhost, openWall, type Wall } from '../../../test/kit/wall.ts';

const hour = 3_600;
const day = 24 * hour;

const startFrom = (wall: Wall, ip: string, purpose: 'logins' | 'registrations' = 'registrations') =>
  Object.assign(openBrowser(wall), { ip }).start(purpose, newAddress());

/** Starts an operation and enters wrong codes. Resolves to the number of codes that were compared. */
async function guessAt(
  wall: Wall,
  stranger: Browser,
  email: string,
  { times = 5, purpose = 'registrations' }: { times?: number; purpose?: 'logins' | 'registrations' } = {},
): Promise<number> {
  const started = await stranger.start(purpose, email);
  if (started.statusCode !== 201) return 0;
  const code = await wall.mail.codeTo(email);
  let judged = 0;
  for (let i = 0; i < times; i += 1) {
    const { statusCode } = await stranger.verify(purpose, started.json().id, wrong(code));
    if (statusCode !== 429) judged += 1;
  }
  return judged;
}

/** Enters five wrong codes for each of several new addresses. Resolves to the number of codes that were compared. */
async function guess(wall: Wall, times: number, ipOf: (turn: number) => string): Promise<number> {
  let judged = 0;
  for (let turn = 0; turn < times; turn += 5) {
    judged += await guessAt(wall, Object.assign(openBrowser(wall), { ip: ipOf(turn) }), newAddress());
  }
  return judged;
}

for (const engine of engines) {
  describe(`limits of sign-in on ${engine}`, { concurrency: true }, () => {
    test('one mail in 60 s, 10 an hour, 20 a day for an address', async () => {
      await using wall = await openWall(engine, notOnLocalhost);
      const email = newAddress();
      const sent: number[] = [];
      const begin = wall.clock.now;
      const aDay = 24 * 60;
      const minutes = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);
      for (const minute of [...minutes(0, 12), 30, 59, ...minutes(60, 12), 120, 700, aDay - 1, ...minutes(aDay, 12)]) {
        wall.clock.now = begin + minute * 60;
        const { statusCode, headers } = await openBrowser(wall).start('registrations', email);
        assert.ok(statusCode === 201 || (statusCode === 429 && Number(headers['retry-after']) > 0));
        if (statusCode === 201) sent.push(minute);
      }
      assert.deepEqual(sent, [...minutes(0, 10), ...minutes(60, 10), ...minutes(aDay, 10)]);
    });

    test('60 starts an hour for an IP address, for all accounts', async () => {
      await using wall = await openWall(engine, notOnLocalhost);
      const { ip } = openBrowser(wall);
      const statuses: number[] = [];
      for (let i = 0; i < 62; i += 1) {
        statuses.push((await startFrom(wall, ip, i % 2 ? 'logins' : 'registrations')).statusCode);
      }
      assert.deepEqual(statuses.slice(60), [429, 429]);
      assert.ok(statuses.slice(0, 60).every((status) => status === 201 || status === 400));
      wall.clock.now += hour;
      assert.equal((await startFrom(wall, ip)).statusCode, 201);
    });

    test('10 wrong codes an hour and 20 a day for an address, over all operations', async () => {
      await using wall = await openWall(engine, notOnLocalhost);
      const email = newAddress();
      const hours: number[] = [];
      for (let i = 0; i < 4; i += 1) {
        let tries = 0;
        for (let j = 0; j < 4; j += 1) {
          tries += await guessAt(wall, openBrowser(wall), email);
          wall.clock.now += 61;
        }
        hours.push(tries);
        wall.clock.now += hour;
      }
      assert.deepEqual(hours, [10, 10, 0, 0]);
    });

    test('the owner signs in on a known device while a stranger has exhausted every budget', async () => {
      await using wall = await openWall(engine, notOnLocalhost);
      const owner = await register(wall);
      for (let i = 0; i < 12; i += 1) {
        wall.clock.now += 61;
        await guessAt(wall, Object.assign(openBrowser(wall), { ip: owner.ip }), owner.email, { purpose: 'logins' });
      }
      assert.equal((await openBrowser(wall).start('logins', owner.email)).statusCode, 429, 'a stranger is refused');
      owner.token = undefined;
      assert.equal((await owner.enter('logins', owner.email)).statusCode, 200);
    });

    test('RATE_LIMITS=off lifts the budgets, but not the tries of an operation nor the pause', async () => {
      await using wall = await openWall(engine, { RATE_LIMITS: 'off' });
      const email = newAddress();
      for (let i = 0; i < 12; i += 1) {
        assert.equal((await openBrowser(wall).start('registrations', email)).statusCode, 201);
        assert.equal((await openBrowser(wall).start('registrations', email)).statusCode, 429);
        wall.clock.now += 60;
      }
      const browser = openBrowser(wall);
      const { id } = (await browser.start('registrations', email)).json();
      const codes = [];
      for (let i = 0; i < 6; i += 1) codes.push((await browser.verify('registrations', id, '000000')).json().code);
      assert.deepEqual(codes.slice(3), ['INVALID_CONFIRM_CODE', 'MAX_CONFIRM_ATTEMPTS', 'MAX_CONFIRM_ATTEMPTS']);
    });

    test('30 wrong codes an hour for a network over many accounts, which do not limit a known device', async () => {
      await using wall = await openWall(engine, notOnLocalhost);
      const owner = await register(wall);
      const { ip } = owner;
      assert.equal(await guess(wall, 45, () => ip), 30);
      assert.equal((await startFrom(wall, ip)).statusCode, 201, 'codes are still sent');
      const right = Object.assign(openBrowser(wall), { ip });
      assert.equal((await right.enter('registrations', newAddress())).statusCode, 429);
      wall.clock.now += 61;
      assert.equal((await owner.enter('logins', owner.email)).statusCode, 200);
      wall.clock.now += hour;
      assert.equal((await right.enter('registrations', newAddress())).statusCode, 200);
    });

    test('count the wider IPv6 networks that one customer may have', async () => {
      await using wall = await openWall(engine, notOnLocalhost);
      const hex = (n: number): string => n.toString(16);
      // A new /64 network each time, first within one /56 network, then in a new one each time.
      const [within56, within48] = [
        (i: number) => `2001:db8:1:1${hex(i).padStart(2, '0')}::1`,
        (i: number) => `2001:db8:2:${hex(i)}00::1`,
      ];
      const passing = async (times: number, ipOf: (turn: number) => string): Promise<number> => {
        let passed = 0;
        // The pool has ten connections: on a busy machine more requests at once would be refused with 503.
        for (let turn = 0; turn < times; turn += 10) {
          const responses = await Promise.all(Array.from({ length: 10 }, (_, i) => startFrom(wall, ipOf(turn + i))));
          passed += responses.filter(({ statusCode }) => statusCode === 201).length;
        }
        return passed;
      };
      assert.equal(await passing(70, within56), 60);
      assert.equal(await passing(70, within48), 66);
      assert.equal((await startFrom(wall, '2001:db8:3::1')).statusCode, 201);
      wall.clock.now += hour;
      assert.equal(await guess(wall, 35, within48), 33);
    });

    test('20 mails an hour to one mailbox, whatever follows a plus', async () => {
      await using wall = await openWall(engine, notOnLocalhost);
      const owner = await register(wall, `anna.${engine}@example.org`);
      wall.clock.now += 61;
      const tagged = (i: number): string => `Anna.${engine}+${i}@example.org`;
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, i) => openBrowser(wall).start('registrations', tagged(i))),
      );
      const sent = responses.filter(({ statusCode }) => statusCode === 201).length;
      assert.equal(sent, 19, 'in addition to the mail to the owner');
      assert.equal((await owner.enter('logins', owner.email)).statusCode, 200, 'the owner on a known device');
      assert.equal((await openBrowser(wall).start('registrations', newAddress())).statusCode, 201);
      wall.clock.now += hour;
      assert.equal((await openBrowser(wall).start('registrations', tagged(50))).statusCode, 201);
    });

    test('guessing is reported to the owner after ten wrong codes, once a day', async () => {
      await using wall = await openWall(engine);
      const owner = await register(wall);
      const { email } = owner;
      const warnings = () => wall.mail.received.filter(({ to, text }) => to.includes(email) && /десять раз/.test(text));
      const guesses = (by: Browser, times: number) => {
        wall.clock.now += 61;
        return guessAt(wall, by, email, { times, purpose: 'logins' });
      };
      await guesses(openBrowser(wall), 5);
      // The owner enters a wrong code as well.
      await guesses(owner, 4);
      await allMailsSent(wall);
      assert.deepEqual(warnings(), []);
      await guesses(openBrowser(wall), 1);
      const { text } = await wall.mail.mailTo(email, (mail) => mail.text.includes('десять раз'));
      assert.match(text, /ввели неверно десять раз/);
      assert.match(text, /^http:\/\/localhost:3000\/settings\/devices$/m);
      assert.doesNotMatch(text, /\d{6}/);
      await guesses(openBrowser(wall), 4);
      await allMailsSent(wall);
      assert.equal(warnings().length, 1);
      wall.clock.now += day;
      await guesses(openBrowser(wall), 5);
      assert.equal(warnings().length, 1);
      await guesses(openBrowser(wall), 5);
      await wall.mail.mailTo(email, (mail) => mail.text.includes('десять раз'));
    });
  });
}
