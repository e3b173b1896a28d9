import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { admin } from '../../../test/kit/admin.ts';
import { changeEmail, emailOf, linkTo, press } from '../../../test/kit/email-changes.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, outcome, register } from '../../../test/kit/member.ts';
import { newAddress, openBrowser } from '../../../test/kit/sign-in.ts';
import { now } from '../../../test/kit/signed-in.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';
import { applyEmailChanges } from '../../ops/jobs/apply-email-changes.ts';
import { addEmailChange } from './email-changes.ts';

const hour = 3_600;

for (const engine of engines) {
  describe(`an operator’s change of address on ${engine}`, () => {
    const ask = async (wall: Wall, member: Member, newEmail: string) =>
      wall.db.tx((tx) =>
        addEmailChange(tx, { userId: Number(member.id), email: member.email, newEmail, now: wall.clock.now }),
      );
    const apply = (wall: Wall) => applyEmailChanges(wall.db, wall.clock.now, pino({ level: 'silent' }));

    test('takes effect after 48 hours, unless it was refused or became void', async () => {
      await using wall = await openWall(engine, { ACCESS_TOKEN_SECONDS: String(200 * hour) });
      const [anna, boris, clara, dora] = [
        await register(wall),
        await register(wall),
        await register(wall),
        await register(wall),
      ];
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

    /** A thief has changed the address; the command takes its time from the clock of the machine. */
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

    test('leaves the link of the first owner, whoever refuses it', async () => {
      await using wall = await openWall(engine);
      const { anna, stolen, order, link } = await robbed(wall);
      await order(newAddress());
      assert.equal(await press(wall, await linkTo(wall, stolen)), 'done');
      assert.equal(await emailOf(wall, anna), stolen);
      assert.equal(await press(wall, link), 'done');
      assert.equal(await emailOf(wall, anna), anna.email);
    });

    test('cannot be refused any more when the first owner has used their link', async () => {
      await using wall = await openWall(engine);
      const { anna, stolen, order, link } = await robbed(wall);
      await order(newAddress());
      assert.equal(await press(wall, link), 'done');
      assert.equal(await press(wall, await linkTo(wall, stolen)), 'used');
      assert.equal(await emailOf(wall, anna), anna.email);
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
