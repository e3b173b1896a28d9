import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, test } from 'node:test';
import { newAddress, openBrowser } from '../../test/door.ts';
import { engines } from '../../test/engines.ts';
import { enterAgain, register } from '../../test/member.ts';
import { openWall, type Wall } from '../../test/wall.ts';

const noticesTo = ({ mail }: Wall, address: string) =>
  mail.received.filter(({ to, text }) => to.includes(address) && text.includes('с нового устройства'));

/** Mail leaves after the answer: what came by now came. */
const settle = () => pause(300);

for (const engine of engines) {
  describe(`a sign-in from a new device on ${engine}`, () => {
    test('is told to the owner, in words, with the way to end it', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const owner = await register(wall);
      await settle();
      assert.deepEqual(noticesTo(wall, owner.email), [], 'whoever registers knows of it');

      const stranger = await enterAgain(wall, owner);
      const { text } = await wall.mail.mailTo(owner.email, (mail) => mail.text.includes('с нового устройства'));
      assert.match(text, /с нового устройства: Chrome 142, Windows 11\./);
      assert.match(text, /14 ноября 2023 г\. в 22:\d\d UTC/);
      assert.match(text, /^http:\/\/localhost:3000\/settings\/devices$/m);
      assert.doesNotMatch(text, /\d{6}/);

      // The same browser once more, and the first one: both are known by now.
      for (const browser of [stranger, owner]) {
        wall.clock.now += 61;
        await browser.enter('logins', owner.email);
      }
      await settle();
      assert.equal(noticesTo(wall, owner.email).length, 1);
    });

    test('is one also by registering an address that has an account', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const email = newAddress();
      await register(wall, email);
      wall.clock.now += 61;
      await openBrowser(wall).enter('registrations', email);
      await wall.mail.mailTo(email, ({ text }) => text.includes('с нового устройства'));
    });

    test('that fails is told to nobody', async (t) => {
      const wall = await openWall(engine);
      t.after(wall.close);
      const { email } = await register(wall);
      wall.clock.now += 61;
      const stranger = openBrowser(wall);
      const { id } = (await stranger.start('logins', email)).json();
      await wall.mail.codeTo(email);
      await stranger.verify('logins', id, 'no code');
      await settle();
      assert.deepEqual(noticesTo(wall, email), []);
    });
  });
}
