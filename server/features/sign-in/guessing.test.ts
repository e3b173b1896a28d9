import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allMailsSent } from '../../../test/kit/digest.ts';
import { type Browser, newAddress, openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { register } from '../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';

const hour = 3_600;
const day = 24 * hour;

/** Enters five wrong codes for each of several new addresses. Resolves to the number of codes that were compared. */
async function guess(wall: Wall, times: number, ipOf: (turn: number) => string): Promise<number> {
  let judged = 0;
  for (let turn = 0; turn < times; turn += 5) {
    const email = newAddress();
    const browser = Object.assign(openBrowser(wall), { ip: ipOf(turn) });
    const { id } = (await browser.start('registrations', email)).json();
    const code = await wall.mail.codeTo(email);
    for (let i = turn; i < Math.min(turn + 5, times); i += 1) {
      browser.ip = ipOf(i);
      const { statusCode } = await browser.verify('registrations', id, wrong(code));
      if (statusCode !== 429) judged += 1;
    }
  }
  return judged;
}

const startFrom = (wall: Wall, ip: string) =>
  Object.assign(openBrowser(wall), { ip }).start('registrations', newAddress());

for (const engine of engines) {
  describe(`guessing over many accounts on ${engine}`, { concurrency: true }, () => {
    test('allows 30 wrong codes an hour for a network, and does not limit a known device by them', async () => {
      await using wall = await openWall(engine);
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

    test('counts the wider IPv6 networks that one customer may have', async () => {
      await using wall = await openWall(engine);
      const hex = (n: number): string => n.toString(16);
      // A new /64 network each time, first within one /56 network, then in a new one each time.
      const [within56, within48] = [
        (i: number) => `2001:db8:1:1${hex(i).padStart(2, '0')}::1`,
        (i: number) => `2001:db8:2:${hex(i)}00::1`,
      ];
      const passing = async (times: number, ipOf: (turn: number) => string): Promise<number> => {
        let passed = 0;
        // As many at once as the pool has connections: on a busy machine more would be refused with 503.
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

    test('sends at most 20 mails an hour to one mailbox, whatever follows a plus', async () => {
      await using wall = await openWall(engine);
      const owner = await register(wall, `anna.${engine}@example.org`);
      wall.clock.now += 61;
      const tagged = (i: number): string => `Anna.${engine}+${i}@example.org`;
      const responses = await Promise.all(
        Array.from({ length: 40 }, (_, i) => openBrowser(wall).start('registrations', tagged(i))),
      );
      assert.equal(
        responses.filter(({ statusCode }) => statusCode === 201).length,
        19,
        'in addition to the mail to the owner',
      );
      assert.equal((await owner.enter('logins', owner.email)).statusCode, 200, 'the owner on a known device');
      assert.equal((await openBrowser(wall).start('registrations', newAddress())).statusCode, 201);
      wall.clock.now += hour;
      assert.equal((await openBrowser(wall).start('registrations', tagged(50))).statusCode, 201);
    });

    test('is reported to the owner after ten wrong codes, once a day', async () => {
      await using wall = await openWall(engine);
      const owner = await register(wall);
      const { email } = owner;
      const warnings = () => wall.mail.received.filter(({ to, text }) => to.includes(email) && /десять раз/.test(text));
      const guessAt = async (stranger: Browser, times: number): Promise<void> => {
        wall.clock.now += 61;
        const { id } = (await stranger.start('logins', email)).json();
        const code = await wall.mail.codeTo(email);
        for (let i = 0; i < times; i += 1) await stranger.verify('logins', id, wrong(code));
      };
      await guessAt(openBrowser(wall), 5);
      // The owner enters a wrong code as well.
      await guessAt(owner, 4);
      await allMailsSent(wall);
      assert.deepEqual(warnings(), []);
      await guessAt(openBrowser(wall), 1);
      const { text, source } = await wall.mail.mailTo(email, (mail) => mail.text.includes('десять раз'));
      assert.match(text, /ввели неверно десять раз/);
      assert.match(text, /^http:\/\/localhost:3000\/settings\/devices$/m);
      assert.doesNotMatch(text, /\d{6}/);
      assert.match(source, /^Subject: /m);
      await guessAt(openBrowser(wall), 4);
      await allMailsSent(wall);
      assert.equal(warnings().length, 1);
      wall.clock.now += day;
      await guessAt(openBrowser(wall), 5);
      assert.equal(warnings().length, 1);
      await guessAt(openBrowser(wall), 5);
      await wall.mail.mailTo(email, (mail) => mail.text.includes('десять раз'));
    });
  });
}
