import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { registerModerator } from '../../../test/kit/desk.ts';
import { engines } from '../../../test/kit/engines.ts';
import { type Member, outcome } from '../../../test/kit/member.ts';
import { type Browser, device, newAddress, openBrowser, wrong } from '../../../test/kit/sign-in.ts';
import { openWall, type Wall } from '../../../test/kit/wall.ts';

interface Purpose {
  method: 'POST' | 'PUT';
  /** The code is verified below the path that starts the operation. */
  path: string;
  /** The status of a response to the right code. */
  status: number;
  isSignIn?: true;
  /** The code goes to the address of the account, which the response names. */
  isToOwnAddress?: true;
  more?: object;
}

const purposes: Readonly<Record<string, Purpose>> = {
  login: { method: 'POST', path: '/logins', status: 200, isSignIn: true },
  registration: { method: 'POST', path: '/registrations', status: 200, isSignIn: true },
  'program token': {
    method: 'POST',
    path: '/users/current/tokens',
    status: 201,
    isToOwnAddress: true,
    more: { name: 'бот', scope: 'read' },
  },
  confirmation: { method: 'POST', path: '/moderation/confirmation', status: 200, isToOwnAddress: true },
  deletion: { method: 'POST', path: '/users/current/deletion', status: 204, isToOwnAddress: true },
  'email change': { method: 'PUT', path: '/users/current/email', status: 200 },
};

const verify = ({ method, path, more }: Purpose, by: Browser, id: string, confirmCode: string) =>
  by.send(method, `${path}/${id}/verify`, { confirmCode, clientToken: by.clientToken, ...more });

const start = ({ method, path, isSignIn, isToOwnAddress }: Purpose, by: Member, newEmail: string) =>
  by.send(method, path, {
    clientToken: by.clientToken,
    ...(isSignIn && { email: by.email, device }),
    ...(!isSignIn && !isToOwnAddress && { email: newEmail }),
  });

async function started(wall: Wall, purpose: Purpose, by: Member, newEmail: string) {
  const response = await start(purpose, by, newEmail);
  assert.equal(response.statusCode, 201, response.body);
  assert.deepEqual(Object.keys(response.json()), purpose.isToOwnAddress ? ['id', 'email'] : ['id']);
  const code = await wall.mail.codeTo(purpose.isSignIn || purpose.isToOwnAddress ? by.email : newEmail);
  return { id: response.json().id as string, code };
}

async function startAll(wall: Wall, member: Member) {
  const operations = [];
  const newEmail = newAddress();
  for (const [name, purpose] of Object.entries(purposes)) {
    operations.push({ member, name, purpose, ...(await started(wall, purpose, member, newEmail)) });
  }
  return operations;
}

const times = <T>(count: number, send: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, send));

for (const engine of engines) {
  describe(`codes on ${engine}`, () => {
    for (const [name, purpose] of Object.entries(purposes)) {
      test(`${name}: a code has five tries, ten minutes, one use and one client, whose next code replaces it`, async () => {
        await using wall = await openWall(engine, { ACCESS_TOKEN_SECONDS: '36000' });
        const by = await registerModerator(wall);
        const newEmail = newAddress();
        const enter = (id: string, code: string, who = by) => outcome(verify(purpose, who, id, code));
        const next = (seconds = 61) => {
          wall.clock.now += seconds;
          return started(wall, purpose, by, newEmail);
        };
        const first = await next();
        const early = await start(purpose, by, newEmail);
        assert.deepEqual([early.statusCode, early.headers['retry-after']], [429, '60']);
        const second = await next(60);
        assert.deepEqual(await enter(first.id, first.code), [400, 'OPERATION_EXPIRED']);
        assert.deepEqual(await enter('nothing', second.code), [400, 'OPERATION_EXPIRED']);

        const tries = await times(15, () => enter(second.id, wrong(second.code)));
        const judged = tries.filter(([, code]) => code === 'INVALID_CONFIRM_CODE').length;
        assert.equal(judged, 4, 'the response to the fifth has another code');
        assert.deepEqual(await enter(second.id, second.code), [400, 'MAX_CONFIRM_ATTEMPTS']);

        const third = await next();
        wall.clock.now += 600;
        assert.deepEqual(await enter(third.id, third.code), [400, 'OPERATION_EXPIRED']);

        const last = await next();
        const another = { ...by, clientToken: 'another client' };
        assert.deepEqual(await enter(last.id, last.code, another), [400, 'INVALID_REQUEST']);
        // A code that another client requests leaves this code valid.
        if (purpose.isSignIn) {
          wall.clock.now += 61;
          assert.equal((await openBrowser(wall).start('registrations', by.email)).statusCode, 201);
        }
        const sessions = async () =>
          (await wall.db.read.selectFrom('sessions').select('id').execute()).map(({ id }) => id);
        const before = await sessions();
        const entered = await times(15, () => enter(last.id, last.code));
        const accepted = entered.filter(([status]) => status < 400);
        assert.deepEqual(accepted, [[purpose.status]]);
        // A sign-in ends the session that was open in the same browser.
        if (purpose.isSignIn) {
          const after = await sessions();
          assert.equal(after.filter((id) => !before.includes(id)).length, 1);
          assert.equal(after.length, before.length);
        }
      });
    }

    test('work only for their own purpose and person', async () => {
      await using wall = await openWall(engine);
      const members = [await registerModerator(wall), await registerModerator(wall)];
      wall.clock.now += 61;
      const all = (await Promise.all(members.map((member) => startAll(wall, member)))).flat();

      for (const { member: owner, name: own, id, code } of all) {
        for (const [name, purpose] of Object.entries(purposes)) {
          for (const member of members) {
            if (name === own && (member === owner || purpose.isSignIn)) continue;
            // The code is refused even with the client token of the other person.
            const caller = { ...member, clientToken: owner.clientToken };
            assert.deepEqual(
              await outcome(verify(purpose, caller, id, code)),
              [400, 'OPERATION_EXPIRED'],
              `${own} of ${owner.username} as ${name} by ${member.username}`,
            );
          }
        }
      }
      for (const [index, { member, purpose, id, code }] of all.entries()) {
        const foreign = all[(index + 1) % all.length]!.code;
        if (foreign === code) continue;
        assert.deepEqual(await outcome(verify(purpose, member, id, foreign)), [400, 'INVALID_CONFIRM_CODE']);
      }
      for (const { member, name, purpose, id, code } of all) {
        if (name === 'email change') continue;
        // A sign-in is verified in another browser, because it ends the session that it replaces.
        const { clientToken } = member;
        const caller = purpose.isSignIn ? { ...openBrowser(wall), clientToken } : member;
        assert.deepEqual(await outcome(verify(purpose, caller, id, code)), [purpose.status], name);
      }
    });

    test('become invalid when the address of the account changes', async () => {
      await using wall = await openWall(engine);
      const anna = await registerModerator(wall);
      wall.clock.now += 61;
      const operations = await startAll(wall, anna);
      const change = operations.pop()!;
      assert.deepEqual(await outcome(verify(change.purpose, anna, change.id, change.code)), [200]);
      for (const { name, purpose, id, code } of operations) {
        // The registration is for the old address, which is not an address of this account any more.
        if (name === 'registration') continue;
        assert.deepEqual(await outcome(verify(purpose, anna, id, code)), [400, 'OPERATION_EXPIRED'], name);
      }
      assert.equal((await anna.send('GET', '/users/current')).json().id, anna.id);
    });
  });
}
