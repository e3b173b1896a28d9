import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allMailsSent } from '../../../test/kit/digest.ts';
import { newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { signInElsewhere, register } from '../../../test/kit/member.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';

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

    test('is reported also after a registration with an address that has an account', async () => {
      await using wall = await openWall(engine);
      const email = newAddress();
      await register(wall, email);
      wall.clock.now += 61;
      await openBrowser(wall).enter('registrations', email);
      await wall.mail.mailTo(email, ({ text }) => text.includes('с нового устройства'));
    });

    test('is not reported when it fails', async () => {
      await using wall = await openWall(engine);
      const { email } = await register(wall);
      wall.clock.now += 61;
      const stranger = openBrowser(wall);
      const { id } = (await stranger.start('logins', email)).json();
      await wall.mail.codeTo(email);
      await stranger.verify('logins', id, 'no code');
      await allMailsSent(wall);
      assert.deepEqual(noticesTo(wall, email), []);
    });
  });
}
