import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newAddress } from '../../../test/kit/sign-in.ts';
import { engines } from '../../../test/kit/engines.ts';
import { signInElsewhere, type Member, outcome, register, startEmailChange } from '../../../test/kit/member.ts';
import { openWall } from '../../../test/kit/wall.ts';

const hour = 3_600;

for (const engine of engines) {
  describe(`a new device on ${engine}`, () => {
    test('can change the address after a day, or with a code sent to the old one', async () => {
      await using wall = await openWall(engine, { ACCESS_TOKEN_SECONDS: String(200 * hour) });
      const anna = await register(wall);
      const fresh = await signInElsewhere(wall, anna);
      assert.deepEqual(await outcome(startEmailChange(anna, newAddress())), [201], 'the device of the registration');
      const taken = await register(wall);
      for (const address of [newAddress(), taken.email]) {
        assert.deepEqual(await outcome(startEmailChange(fresh, address)), [403, 'DEVICE_NOT_CONFIRMED']);
      }
      const { clientToken } = fresh;
      const { id } = (await fresh.send('POST', '/sessions/current/confirmation', { clientToken })).json();
      const confirmCode = await wall.mail.codeTo(anna.email);
      const path = `/sessions/current/confirmation/${id}/verify`;
      const confirm = (by: Member) => outcome(by.send('POST', path, { confirmCode, clientToken }));
      assert.deepEqual(await confirm(taken), [400, 'OPERATION_EXPIRED']);
      assert.deepEqual(await confirm(fresh), [204]);
      assert.deepEqual(await outcome(startEmailChange(fresh, newAddress())), [201]);

      const another = await signInElsewhere(wall, anna);
      assert.deepEqual(await outcome(startEmailChange(another, newAddress())), [403, 'DEVICE_NOT_CONFIRMED']);
      wall.clock.now += 24 * hour;
      assert.deepEqual(await outcome(startEmailChange(another, newAddress())), [201]);
      await fresh.send('DELETE', '/sessions/current');
      fresh.token = undefined;
      wall.clock.now += 61;
      await fresh.enter('logins', anna.email);
      assert.deepEqual(await outcome(startEmailChange(fresh, newAddress())), [201], 'a known device');
    });
  });
}
