import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines } from '../../../test/kit/engines.ts';
import { newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { openWall } from '../../../test/kit/wall.ts';
import { removeExpired } from './remove-expired.ts';

const day = 24 * 3_600;

for (const engine of engines) {
  test(`a browser is forgotten by the account that no longer signs in there, not by the other, on ${engine}`, async () => {
    await using wall = await openWall(engine);
    const browser = openBrowser(wall);
    const [anna, boris] = [newAddress(), newAddress()];
    const enter = async (purpose: 'registrations' | 'logins', email: string): Promise<void> => {
      // The token of the last sign-in has expired.
      browser.token = undefined;
      assert.equal((await browser.enter(purpose, email)).statusCode, 200);
    };
    const warnings = (email: string): number =>
      wall.mail.received.filter(({ to, text }) => to.includes(email) && text.includes('с нового устройства')).length;
    await enter('registrations', anna);
    wall.clock.now += 399 * day;
    await enter('registrations', boris);
    wall.clock.now += 2 * day;
    await removeExpired(wall.db, wall.clock.now);
    await enter('logins', boris);
    await enter('logins', anna);
    await wall.mail.mailTo(anna, ({ text }) => text.includes('с нового устройства'));
    assert.deepEqual([anna, boris].map(warnings), [1, 0]);
  });
}
